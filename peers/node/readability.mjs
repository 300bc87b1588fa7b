// @mozilla/readability, the reader view of Firefox.
//
// Install: npm install, in this folder
import { serve, versionOf } from "./winnow-extractor.mjs";
import { Readability } from "@mozilla/readability";
import { JSDOM, VirtualConsole } from "jsdom";

serve("readability", versionOf("@mozilla/readability"), "Mozilla: Readability.js. Software. https://github.com/mozilla/readability", (html, url) => {
  const dom = new JSDOM(html, { url: URL.canParse(url) ? url : "http://invalid.example/", virtualConsole: new VirtualConsole() });
  try {
    return { html: new Readability(dom.window.document).parse()?.content ?? "" };
  } finally {
    dom.window.close();
  }
});
