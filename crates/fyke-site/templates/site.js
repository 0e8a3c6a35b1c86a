// Suggestions under the search box, and keys: / goes to the box, j and k from result to result.
// Every page works without it.
"use strict";
(() => {
  const box = document.querySelector("form[role=search] input[name=q]");
  const hits = [...document.querySelectorAll("ol.hits > li h2 a")];
  const isTyping = (at) => at.matches("input, textarea, select");

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === "/" && box) {
      event.preventDefault();
      box.focus();
      box.select();
    } else if ((event.key === "j" || event.key === "k") && hits.length > 0) {
      const now = hits.indexOf(document.activeElement);
      const next = event.key === "j" ? now + 1 : Math.max(now, 1) - 1;
      hits[Math.min(next, hits.length - 1)].focus();
    }
  });
  if (!box) return;

  const list = document.createElement("ul");
  list.id = "suggestions";
  list.setAttribute("role", "listbox");
  list.hidden = true;
  box.after(list);
  const attributes = { role: "combobox", "aria-controls": list.id, "aria-autocomplete": "list" };
  for (const [name, value] of Object.entries(attributes)) box.setAttribute(name, value);
  let typed = box.value;
  let chosen = -1;
  let asking = null;
  let waiting = 0;

  const show = (texts) => {
    chosen = -1;
    list.replaceChildren(...texts.map((text, place) => {
      const item = document.createElement("li");
      item.id = `suggestion-${place}`;
      item.setAttribute("role", "option");
      item.textContent = text;
      item.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        box.value = text;
        box.form.requestSubmit();
      });
      return item;
    }));
    list.hidden = texts.length === 0;
    box.setAttribute("aria-expanded", String(!list.hidden));
    box.removeAttribute("aria-activedescendant");
  };

  const choose = (place) => {
    const items = [...list.children];
    chosen = (place + items.length + 2) % (items.length + 1) - 1;
    items.forEach((item, n) => item.setAttribute("aria-selected", String(n === chosen)));
    box.value = chosen < 0 ? typed : items[chosen].textContent;
    if (chosen < 0) box.removeAttribute("aria-activedescendant");
    else box.setAttribute("aria-activedescendant", items[chosen].id);
  };

  const ask = async () => {
    asking?.abort();
    asking = new AbortController();
    const words = box.value;
    if (words.trim() === "") return show([]);
    try {
      const url = `/suggest?q=${encodeURIComponent(words)}`;
      const answer = await fetch(url, { signal: asking.signal });
      const [, texts] = answer.ok ? await answer.json() : ["", []];
      if (words === box.value && document.activeElement === box) show(texts);
    } catch {
      // Asked again meanwhile, or nobody answers: there is nothing to suggest.
    }
  };

  box.addEventListener("input", () => {
    typed = box.value;
    clearTimeout(waiting);
    waiting = setTimeout(ask, 60);
  });
  box.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Escape") {
      event.preventDefault();
      box.value = typed;
      show([]);
    }
  });
  box.addEventListener("blur", () => show([]));
})();
