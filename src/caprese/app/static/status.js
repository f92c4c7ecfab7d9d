// The bar at the bottom: what is being done, how far it is, and what went wrong.

import { Refusal, stop } from "./api.js";

const status = document.getElementById("status");
const said = document.getElementById("said");
const bar = document.getElementById("bar");
const stopping = document.getElementById("stop");
const dismiss = document.getElementById("dismiss");

let running = 0;

stopping.addEventListener("click", () => {
  stopping.disabled = true;
  say("Stopping …", "busy");
  stop().catch(() => {});
});
dismiss.addEventListener("click", () => say("", "idle"));

let fading = 0;

export function say(text, state = "idle") {
  clearTimeout(fading);
  if (state === "idle" && text) fading = setTimeout(() => say(""), 10_000);
  status.dataset.state = state;
  if (said.textContent !== text) said.textContent = text;
  dismiss.hidden = state !== "error";
}

const time = (seconds) =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;

// Do something that takes time: show how far it is, and say in the end what came of it.
export async function doing(what, work, done = "") {
  const began = performance.now();
  const mine = ++running;
  let announced = 0;
  say(`${what} …`, "busy");
  bar.hidden = true;
  stopping.disabled = false;
  const patience = setTimeout(() => { if (mine === running) stopping.hidden = false; }, 400);
  const progress = ({ what: kind, done: number, total }) => {
    if (mine !== running) return;
    bar.hidden = false;
    bar.max = total;
    bar.value = number;
    const elapsed = (performance.now() - began) / 1000;
    if (elapsed < announced + 1) return; // a screen reader need not hear more
    announced = elapsed;
    const left = number ? `, about ${time((elapsed * (total - number)) / number)} left` : "";
    say(`${what}: ${number.toLocaleString("en")} of ${total.toLocaleString("en")} ${kind}${left}`, "busy");
  };
  try {
    const found = await work(progress);
    if (mine === running) say(typeof done === "function" ? done(found) : done);
    return found;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (mine === running) say(error.message, error.stopped ? "idle" : "error");
    return null;
  } finally {
    clearTimeout(patience);
    if (mine === running) bar.hidden = stopping.hidden = true;
  }
}
