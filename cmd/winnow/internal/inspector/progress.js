"use strict";
// Says how far a run has come while it goes on. Without it the page shows how far the run
// was when it was loaded.
(() => {
  const place = document.getElementById("progress");
  const ask = async () => {
    let state = { progress: "The server does not answer.", finished: false };
    try {
      const answer = await fetch("progress", { cache: "no-store" });
      if (answer.ok) state = await answer.json();
    } catch { /* it does not answer */ }
    if (place.textContent !== state.progress) place.textContent = state.progress;
    if (!state.finished) setTimeout(ask, 2000);
  };
  setTimeout(ask, 2000);
})();
