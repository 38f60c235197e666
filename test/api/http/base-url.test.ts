import { expect, it } from "vitest";
import { addressOf, usableUrl } from "../../../provider/api/http/base-url";

const address = (text: string) => addressOf(usableUrl(text));

it.each([
  ["https://docs.example.test", "HTTPS://DOCS.Example.test:443/"],
  ["https://docs.example.test", "https://%64ocs.example.test"],
  ["https://docs.example.test:8443/api", "https://docs.example.test:8443//api//"],
  ["http://127.0.0.1:4010", "http://localhost:4010"],
  ["http://127.0.0.1:4010", "http://LocalHost:4010/"],
  ["http://127.0.0.1:4010", "http://[::1]:4010"],
  ["http://127.0.0.1:4010", "http://[0:0:0:0:0:0:0:1]:4010"],
  ["http://127.0.0.1:4010", "http://127.1:4010"],
  ["http://127.0.0.1", "http://localhost:80"],
])("%s and %s are one address", (one, other) => {
  expect(address(one)).toBe(one);
  expect(address(other)).toBe(one);
});

it.each([
  ["https://docs.example.test", "https://docs.example.test:8443"],
  ["https://docs.example.test/api", "https://docs.example.test/API"],
  ["https://docs.example.test/a/b", "https://docs.example.test/a%2Fb"],
  ["https://localhost:4010", "http://localhost:4010"],
  ["http://127.0.0.1:4010", "http://127.0.0.1:4011"],
  ["http://127.0.0.1:4010", "http://127.0.0.2:4010"],
])("%s and %s are two", (one, other) => {
  expect(address(one)).not.toBe(address(other));
});
