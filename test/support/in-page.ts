/** Measurements that run inside a page, as text, because this project's sources are compiled without a browser's globals. */

const helpers = `
const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
const name = (element) => element.tagName.toLowerCase() + (element.className ? "." + element.className : "");
const ownText = (element) => [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join(" ").trim();
const visible = () => [...document.body.querySelectorAll("*")].filter((one) => !["SCRIPT", "STYLE"].includes(one.tagName) && seen(one));
const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
const over = ([r, g, b, alpha = 1], below) => [r, g, b].map((value, index) => value * alpha + below[index] * (1 - alpha));
const light = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map((value) => value / 255).map((value) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
const behind = (element) => {
  const layers = [];
  for (let one = element; one; one = one.parentElement) layers.push(channels(getComputedStyle(one).backgroundColor));
  return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
};
`;

const run = (body: string): string => `(() => {${helpers}${body}})()`;

export interface Contrast {
  readonly what: string;
  readonly ratio: number;
}

/** The contrast of each visible text and placeholder with what is behind it, the lowest first. */
export const contrasts = run(`
const one = (element, text, colour) => {
  const back = behind(element);
  return { what: name(element) + " " + text.slice(0, 40), ratio: contrast(over(channels(colour), back), back) };
};
return visible().flatMap((element) => {
  const text = ownText(element);
  const hint = element.placeholder ? [one(element, element.placeholder, getComputedStyle(element, "::placeholder").color)] : [];
  return [...(text ? [one(element, text, getComputedStyle(element).color)] : []), ...hint];
}).sort((a, b) => a.ratio - b.ratio);
`);

/** Elements that stand out of the page at a side, or whose content is larger than they are, and so is cut or scrolled. */
export const cutElements = run(`
const most = document.documentElement.clientWidth;
return visible().flatMap((element) => {
  const box = element.getBoundingClientRect();
  const inline = getComputedStyle(element).display === "inline" || element.tagName === "INPUT";
  const tooBig = !inline && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1);
  return box.right > most + 1 || box.left < -1 || (tooBig && element.clientWidth > 0) ? [name(element) + " " + ownText(element).slice(0, 40)] : [];
});
`);

export interface Focus {
  /** Id or tag of the element with the focus. */
  readonly what: string;
  readonly text: string;
  /** Its outline stands out from what is around it, and nothing lies over it. */
  readonly visible: boolean;
}

export const focus = run(`
const element = document.activeElement;
const style = getComputedStyle(element);
const box = element.getBoundingClientRect();
const top = document.elementFromPoint(box.left + Math.min(box.width, 40) / 2, box.top + box.height / 2);
const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2
  && contrast(channels(style.outlineColor), behind(element)) >= 3;
return { what: element.id || element.tagName.toLowerCase(), text: element.textContent.trim(),
  visible: outlined && (top === element || element.contains(top)) };
`);
