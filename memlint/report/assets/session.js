// The timeline: the curve of live bytes as a step line, with step and peak marks over a ribbon of phases; drag to zoom.
"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const host = document.getElementById("timeline");
  if (!host || !data.curve.length) return;
  const readout = document.getElementById("readout");
  const name = "http://www.w3.org/2000/svg";
  const height = 320, left = 72, bottom = 44, top = 22, band = 12;
  const plain = [0, Math.max(1, data.events - 1)];
  let width = Math.max(240, host.clientWidth), range = plain, from = null;

  function size(bytes) {
    for (const [unit, factor] of [["TiB", 2 ** 40], ["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 1024]])
      if (Math.abs(bytes) >= factor) return Number((bytes / factor).toPrecision(4)) + " " + unit;
    return bytes + " B";
  }
  function element(kind, attributes, text) {
    const made = document.createElementNS(name, kind);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    return made;
  }
  const x = event => left + (event - range[0]) / (range[1] - range[0]) * (width - left - 10);
  const event = at => range[0] + (at - left) / (width - left - 10) * (range[1] - range[0]);
  const ceiling = Math.max(1, ...data.curve.map(point => point[1]));
  const y = bytes => height - bottom - bytes / ceiling * (height - bottom - top);

  function draw() {
    const svg = element("svg", { width, height });
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      const at = y(share * ceiling);
      svg.append(element("line", { class: "grid", x1: left, x2: width - 10, y1: at, y2: at }));
      svg.append(element("text", { class: "axis", x: left - 6, y: at + 4, "text-anchor": "end" }, size(Math.round(share * ceiling))));
    }
    const inside = data.steps.map((step, i) => [step, i + 1]).filter(([step]) => step.event >= range[0] && step.event <= range[1]);
    const every = Math.ceil(inside.length / Math.max(1, Math.floor((width - left) / 46)));
    ribbon(svg);
    inside.forEach(([step, number], i) => {
      svg.append(element("line", { class: "step", x1: x(step.event), x2: x(step.event), y1: top, y2: height - bottom }));
      if (i % every === 0) svg.append(element("text", { class: "axis", x: x(step.event), y: height - 8, "text-anchor": "middle" }, number));
    });
    svg.append(element("text", { class: "axis", x: left - 6, y: height - 8, "text-anchor": "end" }, "end of step"));
    svg.append(element("text", { class: "axis", x: left - 6, y: height - bottom + band + 4, "text-anchor": "end" }, "phase"));
    let path = "", last = null;
    for (const [at, bytes] of data.curve) {
      if (at < range[0]) { last = bytes; continue; }
      if (at > range[1]) break;
      if (!path) path = `M${x(Math.max(range[0], at))},${y(last === null ? 0 : last)}`;
      path += `H${x(at).toFixed(2)}V${y(bytes).toFixed(2)}`;
      last = bytes;
    }
    if (!path) path = `M${left},${y(last || 0)}`;
    path += `H${width - 10}V${y(0)}H${left}Z`;
    svg.append(element("path", { class: "area", d: path }));
    if (data.best) {
      const at = y(data.best);
      svg.append(element("line", { class: "goal", x1: left, x2: width - 10, y1: at, y2: at }));
      svg.append(element("text", { class: "goal-mark", x: left + 6, y: at - 5 }, `peak with fixes ${size(data.best)}`));
    }
    if (data.peak.event >= range[0] && data.peak.event <= range[1]) {
      const at = x(data.peak.event), end = at > width * 0.7;
      svg.append(element("line", { class: "summit", x1: at, x2: at, y1: y(data.peak.bytes), y2: height - bottom }));
      svg.append(element("circle", { class: "peak", cx: at, cy: y(data.peak.bytes), r: 4 }));
      svg.append(element("text", { class: "mark", x: at + (end ? -8 : 8), y: y(data.peak.bytes) - 8, "text-anchor": end ? "end" : "start" },
        `peak ${size(data.peak.bytes)}, ${data.peak.phase}`));
    }
    svg.addEventListener("pointerdown", e => { from = place(svg, e); });
    svg.addEventListener("pointermove", e => move(svg, e));
    svg.addEventListener("pointerup", e => zoom(place(svg, e)));
    svg.addEventListener("dblclick", () => { range = plain; draw(); });
    host.replaceChildren(svg);
  }
  function ribbon(svg) {
    data.ribbon.forEach(([start, phase], i) => {
      const end = i + 1 < data.ribbon.length ? data.ribbon[i + 1][0] : data.events;
      if (end <= range[0] || start >= range[1]) return;
      const from = x(Math.max(start, range[0])), to = x(Math.min(end, range[1]));
      svg.append(element("rect", { class: "p" + phase, x: from, width: Math.max(0.3, to - from), y: height - bottom + 4, height: band }));
    });
  }
  function place(svg, e) {
    const box = svg.getBoundingClientRect();
    return Math.min(width - 10, Math.max(left, (e.clientX - box.left) / box.width * width));
  }
  function move(svg, e) {
    const at = place(svg, e), wanted = event(at);
    const before = data.curve.filter(point => point[0] <= wanted).pop() || data.curve[0];
    const step = data.steps.filter(s => s.event <= wanted).length + 1;
    const stretch = data.ribbon.filter(row => row[0] <= wanted).pop();
    const when = step > data.steps.length ? "after the last step" : `step ${step}`;
    readout.textContent = `${size(before[1])} alive, ${when}` + (stretch ? `, ${data.phases[stretch[1]]}` : "");
    svg.querySelectorAll(".picked, .cursor").forEach(old => old.remove());
    svg.append(element("line", { class: "cursor", x1: at, x2: at, y1: top, y2: height - bottom + band + 4 }));
    if (from !== null)
      svg.append(element("rect", { class: "picked", x: Math.min(from, at), width: Math.abs(at - from), y: top, height: height - bottom - top }));
  }
  function zoom(to) {
    const start = from;
    from = null;
    if (start === null) return;
    const picked = [event(Math.min(start, to)), event(Math.max(start, to))];
    if (Math.abs(to - start) > 5 && picked[1] - picked[0] >= 2) range = picked;
    draw();
  }
  window.addEventListener("resize", () => { width = Math.max(240, host.clientWidth); draw(); });
  draw();
})();
