// What makes the pages of scripted.test: each shell says by which way it is filled.
const show = (page) => {
  document.title = page.title;
  const main = document.createElement("main");
  const heading = document.createElement("h1");
  heading.textContent = page.title;
  main.append(heading);
  for (const text of page.text) {
    const paragraph = document.createElement("p");
    paragraph.textContent = text;
    main.append(paragraph);
  }
  for (const link of page.links) {
    const anchor = document.createElement("a");
    anchor.href = link;
    anchor.textContent = "Go on to " + link;
    main.append(anchor, " ");
  }
  document.getElementById("app").replaceChildren(main);
};

const number = () => location.pathname.split("/").pop();

const ways = {
  // Data fetched as JSON.
  data: async () => show(await (await fetch("/api/data/" + number() + ".json")).json()),
  // Data asked for late and in the old way.
  late: () => setTimeout(() => {
    const request = new XMLHttpRequest();
    request.open("GET", "/api/late/" + number() + ".json");
    request.onload = () => show(JSON.parse(request.responseText));
    request.send();
  }, 1500),
  // One shell for every path, and links that nobody has to click for the router to know them.
  route: async () => {
    const router = await import("/router.js");
    const page = await router.view(location.pathname);
    history.replaceState({}, "", location.pathname + "/");
    show(page);
  },
  // An element of its own, in whose shadow the text stands.
  element: async () => {
    const page = await (await fetch("/api/element/" + number() + ".json")).json();
    customElements.define("page-card", class extends HTMLElement {
      connectedCallback() {
        const shadow = this.attachShadow({ mode: "open" });
        for (const text of page.text) {
          const paragraph = document.createElement("p");
          paragraph.textContent = text;
          shadow.append(paragraph);
        }
        for (const link of page.links) {
          const anchor = document.createElement("a");
          anchor.href = link;
          anchor.textContent = link;
          shadow.append(anchor);
        }
      }
    });
    document.title = page.title;
    document.getElementById("app").append(document.createElement("page-card"));
  },
};

// What a page may try and no crawler may do.
const harm = () => {
  const attempts = [
    () => fetch("/order", { method: "POST", body: "a=b" }),
    () => fetch("/order", { method: "PUT", body: "a=b" }),
    () => fetch("/order", { method: "DELETE" }),
    () => fetch("/secret/list.json"),
    () => fetch("http://members.test/api.json", { mode: "no-cors" }),
    () => fetch("http://127.0.0.1:" + location.port + "/ip", { mode: "no-cors" }),
    () => navigator.sendBeacon("/beacon", "here"),
    () => { new Image().src = "/pixel.gif"; },
    () => new WebSocket("ws://" + location.host + "/socket"),
    () => new EventSource("/events"),
    () => new Worker("/worker.js"),
    () => new SharedWorker("/worker.js"),
    () => navigator.serviceWorker.register("/sw.js"),
    () => new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:9" }] }).createDataChannel("x"),
    () => window.open("/popup"),
    () => alert("Stay"),
    () => confirm("Stay?"),
    () => { window.onbeforeunload = () => "Stay"; },
    () => {
      const frame = document.createElement("iframe");
      frame.src = "/frame";
      document.body.append(frame);
    },
    () => {
      const frame = document.createElement("iframe");
      frame.srcdoc = "<script>fetch('/order', { method: 'POST' }); new WebSocket('ws://x.test/')</script>";
      document.body.append(frame);
    },
    () => {
      const form = document.createElement("form");
      [form.method, form.action] = ["post", "/order"];
      document.body.append(form);
      form.submit();
    },
    () => {
      const link = document.createElement("a");
      [link.href, link.download] = ["/download", "file"];
      document.body.append(link);
      link.click();
      link.remove();
    },
    () => {
      const hint = document.createElement("link");
      [hint.rel, hint.href] = ["prefetch", "/prefetched"];
      document.head.append(hint);
    },
    () => {
      const hint = document.createElement("link");
      [hint.rel, hint.href] = ["preconnect", "http://127.0.0.1:" + location.port];
      document.head.append(hint);
    },
    () => { location.href = "/moved"; },
  ];
  for (const attempt of attempts) {
    try { attempt()?.catch?.(() => {}); } catch { }
  }
};

const way = document.currentScript.dataset.way;
if (way === "harm") {
  show({ title: "The harmless page", text: [document.currentScript.dataset.text], links: ["/"] });
  harm();
} else {
  ways[way]();
}
