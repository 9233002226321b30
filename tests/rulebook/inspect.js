// Looks at the page in the frame and writes what it finds into the page around it.
"use strict";

function channels(colour) {
  const parts = colour.match(/[\d.]+/g);
  if (!parts || colour === "none") return null;
  const [r, g, b, a] = parts.map(Number);
  return colour.startsWith("color(") ? [r * 255, g * 255, b * 255, a ?? 1] : [r, g, b, a ?? 1];
}

function luminance([r, g, b]) {
  const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}

function contrast(one, other) {
  const [a, b] = [luminance(one), luminance(other)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}

function groundOf(view, element) {
  for (let here = element; here; here = here.parentElement) {
    const colour = channels(view.getComputedStyle(here).backgroundColor);
    if (colour && colour[3] > 0.5) return colour;
  }
  return [255, 255, 255, 1];
}

// What is drawn behind a text of a picture: the nearest shape below its middle that is filled.
function behind(view, text) {
  const box = text.getBoundingClientRect();
  const stack = view.document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  for (const shape of stack) {
    if (shape === text || shape.tagName === "text" || shape.tagName === "g") continue;
    if (!shape.ownerSVGElement) return groundOf(view, shape);
    const fill = channels(view.getComputedStyle(shape).fill);
    if (fill && fill[3] > 0.5) return fill;
  }
  return null;
}

function lookAt(view) {
  const page = view.document;
  const root = page.documentElement;
  const found = { width: view.innerWidth, dark: view.matchMedia("(prefers-color-scheme: dark)").matches };
  found.overflow = root.scrollWidth - view.innerWidth;
  found.wide = [...page.querySelectorAll("body *")]
    .filter((e) => !e.closest(".scroll, svg, .skip") && e.getBoundingClientRect().right > view.innerWidth + 1)
    .map((e) => `${e.tagName}.${e.className}`).slice(0, 10);
  found.headings = [...page.querySelectorAll("h1,h2,h3,h4,h5,h6")].map((h) => [+h.tagName[1], h.textContent.trim()]);
  found.unnamed = [...page.querySelectorAll("svg[role=img]")]
    .filter((svg) => !(svg.getAttribute("aria-labelledby") || "").split(" ").every((id) => page.getElementById(id)?.textContent))
    .length;
  found.pictures = page.querySelectorAll("svg[role=img]").length;
  found.background = view.getComputedStyle(root).backgroundColor;
  found.contrast = [];
  const walker = page.createTreeWalker(page.body, view.NodeFilter.SHOW_TEXT);
  const seen = new Set();
  found.texts = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || seen.has(element) || element.closest("title,desc,script,style,.skip")) continue;
    seen.add(element);
    const style = view.getComputedStyle(element);
    const drawn = element.ownerSVGElement;
    const colour = channels(drawn ? style.fill : style.color);
    const ground = drawn ? behind(view, element) : groundOf(view, element);
    if (!colour || !ground) continue;
    found.texts += 1;
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && +style.fontWeight >= 700);
    const ratio = contrast(colour, ground);
    if (ratio < (large ? 3 : 4.5)) {
      found.contrast.push(`${ratio.toFixed(2)}: ${node.textContent.trim().slice(0, 40)} (${element.tagName}.${element.getAttribute("class")})`);
    }
  }
  found.contrast = [...new Set(found.contrast)].slice(0, 20);
  return found;
}

const frame = document.querySelector("iframe");
frame.addEventListener("load", () => {
  const overflow = lookAt(frame.contentWindow);
  // Points below the fold are found only where they are on the screen.
  frame.style.height = `${frame.contentDocument.documentElement.scrollHeight + 50}px`;
  setTimeout(() => {
    const found = lookAt(frame.contentWindow);
    found.overflow = overflow.overflow;
    document.getElementById("found").textContent = JSON.stringify(found);
  }, 200);
});
