// Before any script of the page: what would speak to others, or to people, is not there.
(() => {
  const gone = [
    "WebSocket", "WebSocketStream", "WebTransport", "EventSource", "RTCPeerConnection", "webkitRTCPeerConnection",
    "RTCDataChannel", "Worker", "SharedWorker", "ServiceWorkerContainer", "Notification", "PushManager",
    "PaymentRequest", "PresentationRequest", "showOpenFilePicker", "showSaveFilePicker",
  ];
  const none = { value: undefined, writable: false, configurable: false };
  for (const name of gone) {
    try { Object.defineProperty(globalThis, name, none); } catch { }
  }
  const nothing = (answer) => ({ value: () => answer, writable: false, configurable: false });
  const words = { open: null, alert: undefined, confirm: false, prompt: null, print: undefined };
  for (const [name, answer] of Object.entries(words)) {
    try { Object.defineProperty(globalThis, name, nothing(answer)); } catch { }
  }
  for (const name of ["serviceWorker", "mediaDevices", "geolocation", "usb", "bluetooth", "serial", "hid"]) {
    try { Object.defineProperty(Navigator.prototype, name, none); } catch { }
  }
  try { Object.defineProperty(Navigator.prototype, "sendBeacon", nothing(false)); } catch { }
})();
