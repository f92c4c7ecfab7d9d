// What the page asks of the server. All addresses are relative, so the token is never written here.

let session = "";

export class Refusal extends Error {
  constructor(why, stopped = false) {
    super(why);
    this.stopped = stopped;
  }
}

async function asked(address, body) {
  let response;
  try {
    response = await fetch(address, { method: "POST", body });
  } catch {
    throw new Refusal("caprese has ended: start caprese app again in a terminal");
  }
  if (!response.ok) {
    const found = await response.json().catch(() => null);
    throw new Refusal(found?.refusal?.why ?? `the server refused (${response.status})`);
  }
  return response;
}

export async function openSession() {
  const found = await (await asked("sessions")).json();
  session = `sessions/${found.session}`;
  addEventListener("pagehide", () => navigator.sendBeacon(`${session}/close`));
  addEventListener("pageshow", (event) => event.persisted && location.reload());
  return found;
}

let sending = null; // what is uploaded, which the server cannot stop

export function stop() {
  sending?.abort();
  return asked(`${session}/stop`);
}

// Send a file: the data, or, adding to it, a further file of its folder or one beside it. Progress is
// what was sent; fetch cannot tell.
export function upload(file, { folder = "", adding = "", sent = () => {} } = {}) {
  const query = new URLSearchParams({ name: file.name, folder, adding });
  const request = new XMLHttpRequest();
  sending = request;
  return new Promise((done, failed) => {
    const fail = (why, stopped = false) => failed(new Refusal(why, stopped));
    request.upload.addEventListener("progress", ({ loaded }) => sent(loaded));
    request.addEventListener("load", () => {
      const found = parsed(request.responseText);
      if (request.status === 200) done(found);
      else fail(found?.refusal?.why ?? `the server refused (${request.status})`);
    });
    request.addEventListener("abort", () => fail("stopped; what was done before is kept", true));
    request.addEventListener("error", () => fail("caprese has ended, or the file cannot be read: start caprese app again in a terminal"));
    request.addEventListener("loadend", () => { if (sending === request) sending = null; });
    request.open("POST", `${session}/upload?${query}`);
    request.send(file);
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// Run a task: its answer, and before that parts of it and progress as they come.
export async function run(task, given = {}, { part = () => {}, progress = () => {} } = {}) {
  const response = await asked(`${session}/${task}`, JSON.stringify(given));
  for await (const { progress: told, answer, refusal } of lines(response.body)) {
    if (told) progress(told);
    else if (refusal) throw new Refusal(refusal.why, refusal.stopped);
    else if (answer.partial) part(answer);
    else return answer;
  }
  throw new Refusal("the answer was cut off; please try again");
}

async function* lines(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const found = (rest + value).split("\n");
    rest = found.pop();
    for (const line of found) yield JSON.parse(line);
  }
}

export async function save(name) {
  await run("download", { name });
  const link = document.createElement("a");
  link.href = `${session}/files/${encodeURIComponent(name)}`;
  link.download = name;
  link.click();
}
