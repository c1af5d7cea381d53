// What look.sh runs inside a page: text that overflows, is cut, or lies over other text, marks or lines. The page stands
// in a frame as wide as the screen that is meant; the frame's owner is told the findings, one a line behind the word
// AUDIT, the last one the height of the page.
(function () {
  const found = [];
  const say = (what, text) => found.push(what + ': ' + text.replace(/\s+/g, ' ').trim().slice(0, 90));
  const inner = (r, by) => ({ left: r.left + by, right: r.right - by, top: r.top + by, bottom: r.bottom - by });
  const overlap = (a, b) => Math.min(Math.min(a.right, b.right) - Math.max(a.left, b.left),
                                     Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  const shown = e => e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });

  function pageWidth() {
    const width = document.documentElement.scrollWidth;
    if (width > innerWidth) say('page wider than the screen', width + ' of ' + innerWidth);
  }

  // Boxes that hide or scroll what they hold.
  function cutBoxes() {
    for (const e of document.querySelectorAll('body *')) {
      if (!shown(e) || e.closest('svg') || e.closest('thead')) continue;
      const style = getComputedStyle(e);
      if (style.overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1)
        say('cut at the right', e.tagName + '.' + e.className + ' ' + e.scrollWidth + ' of ' + e.clientWidth + ' ' +
            e.textContent.slice(0, 40));
    }
  }

  // The lines of all text outside pictures: each with its rectangle.
  function textLines() {
    const lines = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode());) {
      const parent = node.parentElement;
      if (!node.data.trim() || parent.closest('svg,script,style,select,#audit,.stamp') || !shown(parent)) continue;
      const head = parent.closest('thead');
      if (head && getComputedStyle(head).position === 'absolute') continue; // for screen readers alone
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const r of range.getClientRects()) if (r.width > 1) lines.push({ r, text: node.data });
    }
    return lines;
  }

  function textOverText(lines) {
    lines.sort((a, b) => a.r.top - b.r.top);
    for (let i = 0; i < lines.length; i++) {
      if (lines[i].r.right > innerWidth + 1 || lines[i].r.left < -1) say('text beyond the screen', lines[i].text);
      for (let k = i + 1; k < lines.length && lines[k].r.top < lines[i].r.bottom; k++)
        if (overlap(inner(lines[i].r, 1), inner(lines[k].r, 1)) > 1.5)
          say('text over text', lines[i].text.slice(0, 40) + ' | ' + lines[k].text);
    }
  }

  // Points every few pixels along a line of a picture, on the screen.
  function pointsOf(path) {
    const points = [], matrix = path.getScreenCTM(), length = path.getTotalLength();
    for (let at = 0; at <= length; at += 3) {
      const p = path.getPointAtLength(at);
      points.push({ x: p.x * matrix.a + p.y * matrix.c + matrix.e, y: p.x * matrix.b + p.y * matrix.d + matrix.f });
    }
    return points;
  }

  function picture(svg) {
    const name = svg.closest('figure') ? svg.closest('figure').id : 'picture', frame = svg.getBoundingClientRect();
    const labels = Array.from(svg.querySelectorAll('text')).filter(t => t.textContent.trim())
      .map(t => ({ r: t.getBoundingClientRect(), text: t.textContent }));
    labels.forEach((a, i) => {
      if (a.r.left < frame.left - 1 || a.r.right > frame.right + 1 || a.r.top < frame.top - 1 ||
          a.r.bottom > frame.bottom + 1) say(name + ', label cut', a.text);
      for (const b of labels.slice(i + 1))
        if (overlap(inner(a.r, 1), inner(b.r, 1)) > 1) say(name + ', label over label', a.text + ' | ' + b.text);
    });
    for (const mark of svg.querySelectorAll('use')) {
      if (mark.closest('defs')) continue;
      const r = mark.getBoundingClientRect();
      for (const a of labels) if (overlap(inner(r, 1), inner(a.r, 2)) > 1) say(name + ', mark over label', a.text);
    }
    for (const path of svg.querySelectorAll('path,line,polyline')) {
      if (path.closest('defs') || path.classList.contains('gridline') || getComputedStyle(path).stroke === 'none') continue;
      const r = path.getBoundingClientRect(), near = labels.filter(a => overlap(r, inner(a.r, 3)) >= 0);
      if (!near.length) continue;
      for (const p of pointsOf(path))
        for (const a of near) {
          const box = inner(a.r, 3);
          if (p.x > box.left && p.x < box.right && p.y > box.top && p.y < box.bottom) {
            say(name + ', line through label', a.text);
            near.splice(near.indexOf(a), 1);
            break;
          }
        }
    }
  }

  // A picture with points is one stop of the tab key; its arrow keys lead through the points, each with a name, and what
  // a point says is shown while it has the focus, until Escape.
  function keyboard(svg) {
    const points = Array.from(svg.querySelectorAll('.tip')), name = svg.closest('figure').id, tip = document.getElementById('tip');
    const press = key => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    const stops = () => points.filter(p => p.tabIndex === 0);
    const shows = p => document.activeElement === p && stops().length === 1 && stops()[0] === p && !tip.hidden &&
                       tip.textContent === p.getAttribute('aria-label');
    if (!points.length) return;
    if (svg.getAttribute('role') === 'img') say(name, 'points inside an image');
    for (const p of points)
      if (!p.getAttribute('aria-label') || !/^(img|link)$/.test(p.getAttribute('role'))) say(name, 'a point without name or role');
    if (stops().length !== 1) say(name, stops().length + ' stops of the tab key');
    points[0].focus();
    if (!shows(points[0])) say(name, 'focus shows nothing');
    for (const [key, at] of [['End', points.length - 1], ['ArrowRight', points.length - 1], ['Home', 0], ['ArrowDown', Math.min(1, points.length - 1)]]) {
      press(key);
      if (!shows(points[at])) say(name, key + ' does not lead to point ' + at);
    }
    press('Escape');
    if (!tip.hidden) say(name, 'Escape does not close');
    points[0].blur();
    scrollTo(0, 0);
  }

  function filters() {
    for (const e of document.querySelectorAll('select,input'))
      if (!e.labels.length && !e.getAttribute('aria-label')) say('a field without a label', e.outerHTML);
    let level = 0;
    for (const e of document.querySelectorAll('h1,h2,h3,h4')) {
      if (+e.tagName[1] > level + 1) say('a heading too deep', e.textContent);
      level = +e.tagName[1];
    }
    for (const e of document.body.children)
      if (!/^(HEADER|NAV|MAIN|ASIDE|SCRIPT)$/.test(e.tagName) && !e.hidden && shown(e)) say('outside the landmarks', e.outerHTML);
  }

  if (/unfold/.test(location.hash)) document.querySelectorAll('details').forEach(d => { d.open = true; });
  pageWidth();
  cutBoxes();
  textOverText(textLines());
  for (const svg of document.querySelectorAll('svg')) if (shown(svg) && svg.getBoundingClientRect().width > 0) picture(svg);
  for (const svg of document.querySelectorAll('.card svg'))
    if (shown(svg) && svg.getBoundingClientRect().width > 0) keyboard(svg);
  filters();
  const report = Array.from(new Set(found)).concat('height ' + document.documentElement.scrollHeight)
    .map(line => '\nAUDIT ' + line).join('') + '\n';
  parent.postMessage(report, '*');
})();
