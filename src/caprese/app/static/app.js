// The page: each step asks the server for a task and shows the parts that come back.

import { openSession, run, save, upload } from "./api.js";
import { chosenFiles, filesOf, studyFiles } from "./folders.js";
import { bestMethod, choose, chooseByQuestion, chosen, markBest, methodText, showParameters } from "./methods.js";
import { enhance } from "./report.js";
import { doing, say } from "./status.js";
import { chooseColumns, forgetTables, groupsChosen, megabytes, openBeside, openGroups, tablesBeside } from "./tables.js";
import { enliven } from "./tree.js";

const $ = (id) => document.getElementById(id);
const QUICK = 2000; // milliseconds of a fit that is repeated without being asked for

const PACKED = /\.(7z|rar)$/i; // archives that nothing here unpacks

const state = { merges: [], fitTook: {}, opened: null, table: null };

// ------------------------------------------------------------------ parts of the page

function showAll(fragments) {
  for (const [name, html] of Object.entries(fragments ?? {})) showPart(name, html);
}

function showPart(name, html) {
  const place = $(name);
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const event = focused?.dataset?.event;
  const seen = view(place);
  place.innerHTML = html; // made by the server, every name escaped
  place.querySelector("figure .scroll svg")?.style.setProperty("--zoom", seen.zoom);
  enhance(place);
  place.querySelector("figure .scroll")?.scrollTo(seen.left, seen.top);
  enliven(place, name === "tree" ? chooseEvent : null);
  if (event !== undefined) place.querySelector(`.node[data-event="${event}"]`)?.focus();
}

// How far a picture is enlarged, and what of it is seen, which stays when it is drawn anew.
function view(place) {
  const frame = place.querySelector("figure .scroll");
  const zoom = frame?.querySelector("svg")?.style.getPropertyValue("--zoom") || "1";
  return { zoom, left: frame?.scrollLeft ?? 0, top: frame?.scrollTop ?? 0 };
}

function showStates(states) {
  for (const row of $("events").querySelectorAll("tr[data-place]")) {
    row.querySelector(".state").textContent = row.querySelector(".state").title = states[Number(row.dataset.place)];
    row.classList.toggle("out", states[Number(row.dataset.place)] !== "");
  }
}

// ------------------------------------------------------------------ data

async function load(kind, name, format = $("formats").value) {
  if (state.opened?.name !== name || state.opened?.kind !== kind) forgetTables();
  state.table = null;
  state.opened = { kind, name };
  if (kind === "embedded") format = "";
  const left_out = kind === "embedded" ? [] : $("left-out").value.split(",").map((each) => each.trim());
  const transposed = kind !== "embedded" && $("transposed").checked;
  const options = kind === "embedded" ? "" : $("options").value;
  const given = { kind, name, format, left_out, transposed, options, ...tablesBeside() };
  const found = await doing("Reading the data", (progress) => run("load", given, { progress }));
  if (!found) {
    $("reading").open = true; // what may help
    return;
  }
  state.merges = [];
  $("curation").reset();
  for (const name of ["tree", "fit", "event", "comparison", "groups", "support", "judgement", "patients", "patient"]) showPart(name, "");
  showTable(null);
  markBest(null);
  showAll(found.fragments);
  for (const place of found.off) $("events").querySelector(`tr[data-place="${place}"] .use`).checked = false;
  if (found.chosen) restore(found.chosen);
  showMerges();
  showStates(found.states);
  $("title").textContent = found.title;
  document.title = `${found.title} – caprese`;
  $("subtitle").textContent = "All is computed on this machine; nothing leaves it.";
  for (const each of document.querySelectorAll(".after-data:not(.after-fit)")) each.hidden = false;
  document.body.classList.add("has-data");
  for (const step of document.querySelectorAll("nav .later")) step.inert = false;
  await fit();
  if (found.chosen) await repeat(found.chosen);
}

// Set the forms to what a saved analysis chose.
function restore({ merges, curation, method, other, seed, bootstrap: resampled, judge: judged }) {
  state.merges = merges;
  for (const [name, value] of Object.entries(curation)) {
    const field = $(name.replaceAll("_", "-"));
    if (field.type === "checkbox") field.checked = value;
    else field.value = value === null ? "" : ["at_least", "coverage"].includes(name) ? 100 * value : value;
  }
  choose("method", method);
  choose("other", other);
  $("seed").value = seed;
  if (resampled?.replicates) {
    $("replicates").value = resampled.replicates;
    $("replicates").dataset.touched = "yes";
  }
  $("budget").value = judged?.budget ?? "";
}

// Do again what was done with a saved analysis, until something fails or is stopped.
async function repeat({ bootstrap: resampled, judge: judged, patients }) {
  const steps = [[judged, judge], [resampled && !$("resample").hidden, bootstrap], [patients, place]];
  for (const [wanted, step] of steps) {
    if (wanted && !(await step())) return;
  }
}

async function open(file) {
  if (PACKED.test(file.name)) return say(`${file.name}: archives of this kind are not read; unpack it, then open the file or the folder in it.`, "error");
  const found = await doing(`Opening ${file.name}`, (progress) => upload(file, { sent: megabytes(file.size, progress) }));
  if (!found) return;
  $("embedded").value = "";
  await load("file", found.name);
}

async function openFolder(files) {
  const study = await studyFiles(files);
  const name = (files[0]?.folder ?? "").split("/")[0];
  if (!study.length) return say(`${name || "This folder"} has no file of a cBioPortal study, such as data_mutations.txt. To open a table, drop the file itself.`, "error");
  const total = study.reduce((sum, { file }) => sum + file.size, 0);
  const found = await doing(`Opening ${name}`, async (progress) => {
    let answer = null, before = 0;
    for (const { file, folder } of study) {
      answer = await upload(file, { folder, adding: answer ? "folder" : "", sent: megabytes(total, progress, before) });
      before += file.size;
    }
    return answer;
  });
  if (!found) return;
  $("embedded").value = "";
  await load("file", found.name);
}

async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 1 && entries[0].isDirectory) return openFolder(await filesOf(entries[0]));
  const [file, ...others] = transfer.files;
  if (others.length) return say("Drop one file, or one folder.", "error");
  if (file) return open(file);
}

function curation() {
  const number = (id) => ($(id).value === "" ? null : Number($(id).value));
  const least = number("at-least");
  const coverage = number("coverage");
  const off = [...$("events").querySelectorAll("tr[data-place]")].filter((row) => !row.querySelector(".use").checked);
  return {
    exclude: off.map((row) => Number(row.dataset.place)),
    merge: state.merges.map(({ name, members }) => [name, members]),
    coverage: coverage === null ? 0.2 : coverage / 100,
    at_least: least === null ? null : least / 100,
    top: number("top"),
    hypermutated: number("hypermutated"),
    keep_constant: $("keep-constant").checked,
    keep_identical: $("keep-identical").checked,
    keep_unknown: $("keep-unknown").checked,
    keep_all: $("keep-all").checked,
  };
}

let waiting = 0;
function curateSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(curate, 200);
}

async function curate() {
  if (!$("curation").reportValidity()) return false;
  const found = await doing("Curating the data", () => run("curate", curation()));
  if (!found) return false;
  showAll(found.fragments);
  showStates(found.states);
  for (const name of ["judgement", "patients", "patient", "support", "event", "comparison", "groups"]) showPart(name, "");
  markBest(null);
  for (const each of document.querySelectorAll(".after-place")) each.hidden = true;
  const took = state.fitTook[methodText(chosen("method"))];
  if (took < QUICK) {
    await fit();
  } else {
    for (const name of ["tree", "fit"]) showPart(name, "");
    for (const each of document.querySelectorAll(".after-fit")) each.hidden = true;
    $("stale").textContent = "The data has changed: press Fit.";
  }
  return true;
}

function ticked() {
  return [...$("events").querySelectorAll("tr[data-place]")].filter((row) => row.querySelector(".join").checked);
}

async function merge() {
  const rows = ticked();
  const name = $("merged-name").value.trim() || rows.map((row) => row.cells[1].textContent.trim()).join(" or ");
  state.merges.push({ name, members: rows.map((row) => Number(row.dataset.place)) });
  if (!(await curate())) state.merges.pop();
  for (const row of rows) row.querySelector(".join").checked = false;
  $("merged-name").value = "";
  $("merging").hidden = true;
  showMerges();
}

function showMerges() {
  $("merges").replaceChildren(...state.merges.map((each) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `Undo the merge into ${each.name}`;
    button.addEventListener("click", () => {
      state.merges.splice(state.merges.indexOf(each), 1);
      showMerges();
      curate();
    });
    item.append(button);
    return item;
  }));
}

// ------------------------------------------------------------------ progression

async function fit() {
  const method = chosen("method"), other = chosen("other");
  const began = performance.now();
  let parts = 0;
  const part = (answer) => {
    if (answer.expected) return foretell("stale", answer.expected);
    parts += 1;
    showFit(answer);
  };
  const found = await doing(
    other ? `Fitting ${method.name} and ${other.name}` : `Fitting ${method.name}`,
    (progress) => run("fit", { method, other }, { progress, part }),
    ({ said }) => said || "Step 3 shows the progression.",
  );
  foretell("stale", "");
  if (!found) return parts ? showKept({}) : undefined;
  if (!found.stopped) state.fitTook[methodText(method)] = performance.now() - began;
  showFit(found);
}

// How long it will take, if long; beside the button that was pressed.
function foretell(place, words) {
  $(place).textContent = words;
}

function showFit(found) {
  showAll(found.fragments);
  for (const each of document.querySelectorAll(".after-place")) each.hidden = true;
  $("stale").textContent = "";
  for (const each of document.querySelectorAll(".after-fit")) each.hidden = false;
  $("resample").hidden = !found.bootstrap;
  $("posterior").hidden = found.bootstrap || !found.ordered;
  $("no-edges").hidden = found.ordered;
  if (!$("replicates").dataset.touched) $("replicates").value = found.replicates;
}

// Of a task that had to be ended: draw what it had sent.
async function showKept(given) {
  showAll((await run("support", given).catch(() => null))?.fragments);
}

async function block(event) {
  const found = await doing("Looking at what follows", (progress) => run("whatif", { event }, { progress }));
  if (found && $("what-if")) showAll(found.fragments);
}

async function compareGroups() {
  const chosen = groupsChosen();
  const part = (answer) => foretell("groups-said", answer.expected);
  const found = await doing(`Comparing groups of ${chosen.column}`, (progress) => run("groups", chosen, { progress, part }));
  foretell("groups-said", "");
  if (found) showAll(found.fragments);
}

async function chooseEvent(event) {
  const found = await doing("Looking at the event", () => run("event", { event }));
  if (!found) return;
  showAll(found.fragments);
  const panel = $("event").querySelector(".panel");
  panel.dataset.from = event;
  panel.focus();
  panel.scrollIntoView({ block: "nearest" });
}

function closeEvent() {
  const from = $("event").querySelector(".panel")?.dataset.from;
  showPart("event", "");
  $("tree").querySelector(`.node[data-event="${from}"]`)?.focus();
}

// ------------------------------------------------------------------ confidence, judge, samples

async function bootstrap() {
  const given = { replicates: Number($("replicates").value), seed: Number($("seed").value) };
  $("tree").scrollIntoView({ block: "center" }); // where the support appears as it comes
  let parts = 0;
  const part = (answer) => {
    if (answer.expected) return foretell("expected", answer.expected);
    parts += 1;
    showAll(answer.fragments);
  };
  const found = await doing(
    "Bootstrap",
    (progress) => run("bootstrap", given, { progress, part }),
    ({ replicates }) => `The support rests on ${replicates.toLocaleString("en")} replicates; step 4 says what it means.`,
  );
  foretell("expected", "");
  if (found) showAll(found.fragments);
  else if (parts) await showKept(given);
  return found;
}

async function judge() {
  const boxes = [...document.querySelectorAll("[data-judged]")].filter((box) => box.checked);
  const method = chosen("method");
  const methods = boxes.map(({ dataset }) => (dataset.judged === method.name ? method : { name: dataset.judged }));
  const seed = Number($("seed").value);
  const budget = $("budget").value.trim();
  const part = (answer) => foretell("judging-takes", answer.expected);
  const found = await doing("Judging", (progress) => run("judge", { methods, seed, budget }, { progress, part }));
  foretell("judging-takes", "");
  if (!found) return null;
  showAll(found.fragments);
  markBest(found.best);
  return found;
}

// Fit the method that predicts best.
async function useBest() {
  choose("method", bestMethod());
  await fit();
  $("progression").scrollIntoView();
}

async function choosePatient(link) {
  const row = Number(link.hash.replace("#sample-", "")) - 1;
  const found = await doing("Looking at the sample", () => run("patient", { row }));
  if (!found) return;
  showAll(found.fragments);
  state.patient = link;
  $("patient").querySelector(".card").focus();
  $("patient").scrollIntoView({ block: "nearest" });
}

function closePatient() {
  showPart("patient", "");
  state.patient?.focus();
}

async function place() {
  const found = await doing("Placing the samples", (progress) => run("patients", {}, { progress }));
  if (!found) return null;
  showAll(found.fragments);
  for (const each of document.querySelectorAll(".after-place")) each.hidden = false;
  if (state.table) await compareTable(state.table);
  return found;
}

async function openTable(file) {
  const found = await doing(`Opening ${file.name}`, (progress) => upload(file, { adding: "beside", sent: megabytes(file.size, progress) }));
  if (!found) return;
  showTable(null);
  await compareTable(found.name);
}

async function compareTable(name) {
  const value = (part) => $(`table-${part}`).value;
  const given = { name, groups: value("groups"), time: value("time"), status: value("status"), by: value("by"), corrected: $("table-corrected").checked };
  const found = await doing(
    "Comparing with the clinical table",
    (progress) => run("clinical", given, { progress }),
    () => (Boolean(given.time) === Boolean(given.status) ? "Compared: see “The clinical table” below." : "For survival, choose both the column of the times and the column of the status."),
  );
  if (!found) return;
  showAll(found.fragments);
  if (!state.table) showTable(found);
  state.table = name;
}

// Offer the columns of a clinical table; none if there is no table.
function showTable(found) {
  if (!found) state.table = null;
  $("table").hidden = !found;
  $("table").reset();
  const titles = found?.titles ?? [];
  const choices = { groups: titles.filter((title) => !title.includes(":")), time: titles, status: titles, by: found?.by ?? [] };
  for (const [part, values] of Object.entries(choices)) {
    const first = part === "by" ? [] : [new Option("nothing", "")];
    $(`table-${part}`).replaceChildren(...first, ...values.map((each) => new Option(each, each)));
  }
}

// ------------------------------------------------------------------ everything together

const reload = () => load(state.opened.kind, state.opened.name);

// A button opens the chooser of files, what is chosen is taken.
function choosing(button, input, take) {
  $(button).addEventListener("click", () => $(input).click());
  $(input).addEventListener("change", () => {
    const [file] = $(input).files;
    $(input).value = "";
    if (file) take(file);
  });
}

function listen() {
  const drop = $("drop");
  const places = { beside: openTable, "beside-data": (file) => openBeside(file, reload), "beside-groups": openGroups };
  choosing("choose", "file", open);
  choosing("choose-table", "table-file", openTable);
  choosing("choose-beside", "beside-file", places["beside-data"]);
  choosing("choose-groups", "groups-file", openGroups);
  for (const kind of ["dragenter", "dragover"]) {
    addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
  }
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) drop.classList.remove("over"); });
  addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    const [file] = event.dataTransfer.files;
    const onto = Object.keys(places).find((id) => $(id).contains(event.target));
    if (file && onto) places[onto](file);
    else dropped(event.dataTransfer);
  });
  $("choose-folder").addEventListener("click", () => $("folder").click());
  $("folder").addEventListener("change", () => {
    const files = chosenFiles($("folder").files);
    $("folder").value = "";
    if (files.length) openFolder(files);
  });
  $("beside-form").addEventListener("change", () => chooseColumns(reload));
  $("orders-form").addEventListener("change", reload);
  $("groups-form").addEventListener("submit", (event) => { event.preventDefault(); compareGroups(); });
  $("table").addEventListener("change", () => compareTable(state.table));
  $("embedded").addEventListener("change", () => { if ($("embedded").value) load("embedded", $("embedded").value); });
  for (const name of ["formats", "left-out", "transposed", "options"]) {
    $(name).addEventListener("change", () => { if (state.opened) reload(); });
  }
  $("curation").addEventListener("submit", (event) => event.preventDefault());
  $("curation").addEventListener("input", curateSoon);
  $("events").addEventListener("change", (event) => {
    if (event.target.matches(".use")) curateSoon();
    if (event.target.matches(".join")) $("merging").hidden = ticked().length < 2;
  });
  $("merge").addEventListener("click", merge);
  $("methods").addEventListener("change", (event) => {
    if (event.target.matches("[name=wanted]")) chooseByQuestion(event.target);
    else if (event.target.matches("[data-method]")) showParameters();
  });
  $("methods").addEventListener("submit", (event) => { event.preventDefault(); fit(); });
  $("replicates").addEventListener("input", () => { $("replicates").dataset.touched = "yes"; });
  $("resample").addEventListener("submit", (event) => { event.preventDefault(); bootstrap(); });
  $("judging").addEventListener("submit", (event) => { event.preventDefault(); judge(); });
  $("place").addEventListener("click", place);
  $("judgement").addEventListener("click", (event) => { if (event.target.matches("[data-use]")) useBest(); });
  $("event").addEventListener("click", (event) => {
    if (event.target.matches("[data-close]")) closeEvent();
    if (event.target.matches("[data-block]")) block(Number(event.target.dataset.block));
  });
  $("event").addEventListener("keydown", (event) => { if (event.key === "Escape") closeEvent(); });
  $("patients").addEventListener("click", (event) => {
    const link = event.target.closest("a.opens");
    if (!link) return;
    event.preventDefault();
    choosePatient(link);
  });
  $("patient").addEventListener("click", (event) => {
    if (!event.target.closest(".close a")) return;
    event.preventDefault();
    closePatient();
  });
  $("patient").addEventListener("keydown", (event) => { if (event.key === "Escape") closePatient(); });
  $("files").addEventListener("click", (event) => {
    const { file } = event.target.dataset;
    if (file) doing(`Writing ${file}`, () => save(file), `${file} is in your downloads.`);
  });
}

// Mark in the list of steps the one that is read.
function follow() {
  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      for (const [id, link] of links) {
        if (id === target.id) link.setAttribute("aria-current", "step");
        else link.removeAttribute("aria-current");
      }
      const { parentElement, offsetLeft } = links.get(target.id);
      parentElement.parentElement.scrollTo({ left: offsetLeft - 40 }); // on a phone, not all fit
    }
  }, { rootMargin: "-20% 0px -75% 0px" });
  for (const id of links.keys()) observer.observe($(id));
}

async function main() {
  const opened = await doing("Starting", async () => {
    const session = await openSession();
    showAll((await run("start")).fragments);
    return session;
  });
  if (!opened) return;
  listen();
  follow();
  showParameters();
  document.body.dataset.ready = "yes";
  if (opened.given) await load("given", "");
  else say("Ready: open a file or try an example.");
}

main();
