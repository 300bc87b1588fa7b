// Winnow's extractor protocol (docs/reference/extractor-protocol.md) for programs in JavaScript.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

// What libraries print does not break the protocol.
console.log = console.info = console.debug = console.error;

// versionOf returns the version of an installed package.
export function versionOf(name) {
  const require = createRequire(import.meta.url);
  for (const folder of require.resolve.paths(name)) {
    try {
      return require(`${folder}/${name}/package.json`).version;
    } catch {}
  }
  return "unknown";
}

// serve answers pages until the input ends. extract(html, url) returns, or promises, an object
// with one of text, html and markdown. An exception is an error of the page.
export async function serve(name, version, citation, extract) {
  const write = (message) => process.stdout.write(JSON.stringify(message) + "\n");
  write({ protocol: 1, name, version, citation });
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const page = JSON.parse(line);
    const began = process.hrtime.bigint();
    let answer;
    try {
      answer = await extract(page.html, page.url);
    } catch (e) {
      answer = { error: String(e) };
    }
    write({ id: page.id, ns: Number(process.hrtime.bigint() - began), ...answer });
  }
}
