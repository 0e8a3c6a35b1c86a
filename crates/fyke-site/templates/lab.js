// Keys for the judging page: each button is pressed by the key it shows. Without this script the
// page works by its forms.
"use strict";

let sent = false;
addEventListener("pageshow", () => { sent = false; });
addEventListener("submit", () => { sent = true; });
addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea");
  if (typing) {
    if (event.key === "Escape") typing.blur();
    return;
  }
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || sent) return;
  const wanted = document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
  if (!wanted) return;
  event.preventDefault();
  if (wanted.matches("textarea")) wanted.focus();
  else wanted.click();
});
