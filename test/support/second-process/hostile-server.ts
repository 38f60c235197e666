import { createServer, type Socket } from "node:net";

/** A service in its own process, whose answers depend on the path. Those that trickle or flood never end. */

const head = (status: string, type = "application/json") =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const block = "x".repeat(65_536);

function trickle(socket: Socket, beginning: string, piece: string): void {
  socket.write(beginning);
  const timer = setInterval(() => socket.write(piece), 50);
  socket.on("close", () => clearInterval(timer));
}

function flood(socket: Socket, beginning: string, piece: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", more).write(beginning);
  more();
}

const answers: Readonly<Record<string, (socket: Socket) => void>> = {
  "trickling-body": (socket) => trickle(socket, head("200 OK"), chunk(" ")),
  "trickling-error": (socket) => trickle(socket, head("400 Bad Request"), chunk(" ")),
  "trickling-limit": (socket) => trickle(socket, head("429 Too Many Requests"), chunk(" ")),
  "trickling-head": (socket) => trickle(socket, "HTTP/1.1 200 OK\r\n", "x-more: 1\r\n"),
  "trickling-stream": (socket) => trickle(socket, head("200 OK", "text/event-stream"), chunk(": still here\n\n")),
  "endless-body": (socket) => flood(socket, `${head("200 OK")}${chunk('{"id":"')}`, chunk(block)),
  "endless-error": (socket) => flood(socket, head("400 Bad Request"), chunk(block)),
  "endless-head": (socket) => flood(socket, "HTTP/1.1 200 OK\r\n", `x-more: ${block.slice(0, 1000)}\r\n`),
  "endless-event": (socket) => flood(socket, `${head("200 OK", "text/event-stream")}${chunk("data: ")}`, chunk(block)),
  deep: (socket) => socket.end(`${head("200 OK")}${chunk("[".repeat(200_000) + "]".repeat(200_000))}0\r\n\r\n`),
  limited: (socket) => socket.end("HTTP/1.1 429 Too Many Requests\r\nretry-after: 2099\r\ncontent-length: 0\r\n\r\n"),
};

const server = createServer((socket) => {
  socket.on("error", () => undefined);
  socket.once("data", (request) => {
    const name = /\/sites\/([\w-]+)/.exec(String(request))?.[1] ?? "";
    answers[name]?.(socket);
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${JSON.stringify(server.address())}\n`));
