// What a browser made of a page, as numbers; read by test_browser.py.
() => {
  const box = e => { const b = e.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; };
  const seen = e => { const b = e.getBoundingClientRect(); return b.width > 0 && b.height > 0; };
  const rgb = s => (s.match(/[\d.]+/g) || []).map(Number);
  const light = c => {
    const [r, g, b] = c.map(v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const contrast = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + .05) / (y + .05);
  };
  const paper = e => {
    for (; e; e = e.parentElement) {
      const c = rgb(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c.slice(0, 3);
    }
    return [255, 255, 255];
  };
  const faint = [];
  for (const e of document.body.querySelectorAll("*")) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    if (!own || !seen(e) || ["title", "desc", "TITLE", "STYLE"].includes(e.tagName)) continue;
    const drawn = e.tagName === "text";
    const ink = rgb(drawn ? getComputedStyle(e).fill : getComputedStyle(e).color).slice(0, 3);
    let under = paper(drawn ? e.closest("svg").parentElement : e);
    if (drawn && /\bon-p\d/.test(e.getAttribute("class") || ""))
      under = rgb(getComputedStyle(e.previousElementSibling).fill).slice(0, 3);
    const ratio = contrast(ink, under);
    if (ratio < 4.5) faint.push([e.textContent.slice(0, 40), ratio, ink, under]);
  }
  const charts = [...document.querySelectorAll("svg")].filter(seen).map(s => {
    const texts = [...s.querySelectorAll("text")].map(t => [t.firstChild ? t.firstChild.data : "", box(t)]);
    const over = [];
    for (let i = 0; i < texts.length; i++)
      for (let j = i + 1; j < texts.length; j++) {
        const [a, b] = [texts[i][1], texts[j][1]];
        const w = Math.min(a[2], b[2]) - Math.max(a[0], b[0]), h = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
        if (w > 1.5 && h > 2.5) over.push([texts[i][0], texts[j][0], w, h]);
      }
    const f = box(s);
    const cut = texts.filter(([, b]) => b[0] < f[0] - 2 || b[1] < f[1] - 2 || b[2] > f[2] + 2 || b[3] > f[3] + 2);
    return {
      kind: s.closest("figure").className, box: f, texts: texts.length, over, cut,
      shapes: s.querySelectorAll("rect,path,circle,line").length,
      named: !!(s.getAttribute("role") === "img" && s.querySelector("title").textContent),
    };
  });
  const wide = [...document.querySelectorAll("main *")].filter(e => !e.closest(".scroll") && seen(e)
    && (box(e)[2] > innerWidth + 1 || box(e)[0] < -1)).map(e => e.tagName + "." + e.className);
  return {
    charts, faint, wide,
    scroll: document.documentElement.scrollWidth, width: innerWidth,
    tables: [...document.querySelectorAll("table")].map(t => [seen(t), t.rows.length]),
    lists: [...document.querySelectorAll(".results li")].map(e => [e.className, seen(e)]),
    hidden: [...document.querySelectorAll("details:not([open])")].map(d => seen(d.lastElementChild)),
  };
}
