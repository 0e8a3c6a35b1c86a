// Keeps the crawl's page up to date: each event is the whole standing as one JSON object. Rows are
// changed in place, so that a button stays where it is while somebody presses it.
"use strict";

const $ = (id) => document.getElementById(id);

function put(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

const shown = (value) => (typeof value === "number" ? value.toLocaleString("en") : value);

function fill(row, item) {
  for (const cell of row.querySelectorAll("[data-is]")) put(cell, shown(item[cell.dataset.is]));
  for (const bar of row.querySelectorAll("[data-wide]")) bar.setAttribute("width", item[bar.dataset.wide]);
  for (const link of row.querySelectorAll("[data-to]")) link.href = link.dataset.to + encodeURIComponent(item[link.dataset.is]);
  for (const button of row.querySelectorAll("button")) button.value = item.host;
}

function newRow(id, key) {
  const row = $(id + "-row").content.firstElementChild.cloneNode(true);
  row.dataset.key = key;
  return row;
}

// Brings the rows of a table in line with a list. Under the pointer nothing changes its place.
function rows(id, items, name) {
  const body = $(id);
  const old = new Map([...body.children].map((row) => [row.dataset.key, row]));
  const still = body.matches(":hover");
  items.forEach((item, place) => {
    const key = String(item[name]);
    const row = old.get(key) ?? newRow(id, key);
    old.delete(key);
    fill(row, item);
    if (!row.parentNode) body.append(row);
    if (!still && body.children[place] !== row) body.insertBefore(row, body.children[place]);
  });
  for (const row of old.values()) row.remove();
}

function show(crawl) {
  const state = $("state");
  put(state, crawl.words);
  state.className = "state " + crawl.state;
  const works = crawl.state === "running" || crawl.state === "paused";
  for (const [id, on] of [["pause", crawl.state === "running"], ["resume", crawl.state === "paused"], ["stop", works]]) {
    if ($(id)) $(id).hidden = !on;
  }
  if (!crawl.run) return; // the crawl of another process has ended
  rows("figures", crawl.run.figures, "name");
  if ($("words")) rows("words", crawl.run.words, "name");
  rows("frontier", crawl.run.frontier, "priority");
  rows("reasons", crawl.reasons, "name");
  rows("hosts", crawl.hosts, "host");
  put($("urls"), shown(crawl.urls));
  put($("highest"), crawl.run.highest);
  $("line").setAttribute("points", crawl.run.line);
}

const events = new EventSource("/api/v1/events");
let ended = false;
events.onmessage = (event) => {
  const crawl = JSON.parse(event.data);
  ended = crawl.state === "ended";
  show(crawl);
  if (ended) events.close();
};
events.onerror = () => {
  if (ended) return;
  put($("state"), "No news from the crawl: its process has ended or cannot be reached. These are its last figures.");
  $("state").className = "state ended";
};
