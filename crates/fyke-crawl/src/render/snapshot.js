// The page as it stands, cut at so many characters, with "cut:" before it where there are more. Links that a router made
// from another address keep their meaning.
((most, address, leadsTo) => {
  const root = document.documentElement;
  if (!root || !/^https?:/.test(document.URL)) return "";
  // Scripts ran: what stands for those who run none is not shown.
  for (const unshown of document.querySelectorAll("noscript")) unshown.remove();
  if (document.baseURI !== address && document.head && !document.querySelector("base[href]")) {
    const base = document.createElement("base");
    base.href = document.baseURI;
    document.head.prepend(base);
  }
  // A page whose scripts go elsewhere says so, as one without scripts would.
  if (leadsTo && document.head && !document.querySelector("meta[http-equiv=refresh]")) {
    const refresh = document.createElement("meta");
    refresh.httpEquiv = "refresh";
    refresh.content = "0; url=" + leadsTo;
    document.head.append(refresh);
  }
  const roots = [];
  const gather = (within, depth) => {
    for (const element of within.querySelectorAll("*")) {
      if (!element.shadowRoot || depth > 8 || roots.length >= 1000) continue;
      roots.push([element, element.shadowRoot]);
      gather(element.shadowRoot, depth + 1);
    }
  };
  gather(document, 0);
  // What stands in the shadow of an element is shown in its place.
  for (const [element, shadow] of roots.reverse()) {
    const shown = document.createElement("div");
    for (const child of shadow.childNodes) {
      if (child.localName !== "style") shown.append(child.cloneNode(true));
    }
    element.append(shown);
  }
  const markup = root.outerHTML;
  return (markup.length > most ? "cut:" : "") + "<!doctype html>" + markup.slice(0, most);
})
