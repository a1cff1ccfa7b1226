// Keys, time and sending without leaving the page: a judgment that did not arrive is said so.
"use strict";

const GUARD = 250; // ms: what is pressed sooner was meant for the page before
const forms = document.querySelectorAll("form:not([data-plain])");
const judge = document.getElementById("judge");
const undo = document.getElementById("undo");
const rubric = document.getElementById("rubric");
const alertBox = document.getElementById("alert");
const columns = document.querySelectorAll("article[tabindex]"); // two documents scroll as one
const SCROLLS = { arrowdown: 1, arrowup: -1, pagedown: 1, pageup: -1 };
const begun = performance.now();
let seen = 0; // ms for which the page could be seen
let since = document.hidden ? null : begun;
let sending = false;

document.addEventListener("visibilitychange", () => {
  const now = performance.now();
  if (since !== null) seen += now - since;
  since = document.hidden ? null : now;
});

// a page that the browser kept, and shows again after "back", may be wrong by now
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

if (rubric) {
  const folded = sessionStorage.getItem("rubric");
  if (folded ? folded === "closed" : window.matchMedia("(max-width: 55rem)").matches) {
    rubric.open = false;
  }
  rubric.querySelector("summary").addEventListener("click", () => {
    sessionStorage.setItem("rubric", rubric.open ? "closed" : "open");
  });
}

function tell(text) {
  alertBox.textContent = text;
  alertBox.hidden = false;
}

async function send(form, button) {
  if (sending || performance.now() - begun < GUARD) return;
  sending = true;
  document.body.classList.add("sending");
  if (form === judge) {
    const shown = seen + (since === null ? 0 : performance.now() - since);
    judge.elements.seconds.value = (shown / 1000).toFixed(1);
  }
  const body = new URLSearchParams(new FormData(form));
  if (button && button.name) body.append(button.name, button.value);
  let next = null;
  let trouble = form.dataset.noAnswer;
  try {
    const answer = await fetch(form.action, {
      method: "POST", body, headers: { Accept: "application/json" }, cache: "no-store",
    });
    const said = await answer.json();
    if (answer.ok) next = said.next;
    else trouble = said.error;
  } catch (e) { /* no answer, or none of ours */ }
  if (next !== null) {
    location.assign(next);
    return;
  }
  sending = false;
  document.body.classList.remove("sending");
  tell(trouble);
}

for (const form of forms) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, event.submitter);
  });
}

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.closest && event.target.closest("input:not([type=hidden]), textarea");
  if (typing) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const key = event.key.toLowerCase();
  if (key === "z" && undo && undo.elements.last.value) {
    event.preventDefault();
    send(undo, null);
  } else if (judge) {
    const button = judge.querySelector(`button[data-keys~="${CSS.escape(key)}"]`);
    if (button) {
      event.preventDefault();
      send(judge, button);
    } else if (key === "r") {
      event.preventDefault();
      judge.elements.reason.focus();
    } else if (SCROLLS[key] && columns.length) {
      event.preventDefault();
      const by = SCROLLS[key] * (key.startsWith("page") ? columns[0].clientHeight * 0.9 : 60);
      for (const column of columns) column.scrollBy(0, by);
    }
  }
});

setTimeout(() => { document.documentElement.dataset.ready = "1"; }, GUARD);
