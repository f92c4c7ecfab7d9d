// Tables beside the data: seen orders, patients and times, groups of samples, a clinical table.

import { run, upload } from "./api.js";
import { doing } from "./status.js";

const $ = (id) => document.getElementById(id);

const beside = { files: {}, groups: null };

// What a task needs to know of the tables beside the data.
export const tablesBeside = () => ({
  beside: beside.files,
  columns: { patient: $("beside-patient").value, time: $("beside-time").value },
  orders_extra: $("orders-extra").checked,
});

// Other data was opened: what stood beside the former one is forgotten.
export function forgetTables() {
  beside.files = {};
  beside.groups = null;
  $("beside-form").hidden = true;
  $("orders-form").hidden = true;
  $("groups-form").hidden = true;
  $("beside-said").textContent = "";
}

// Send a table, and return its name and what it holds.
async function sent(file) {
  return doing(`Opening ${file.name}`, async (progress) => {
    const { name } = await upload(file, { adding: "beside", sent: megabytes(file.size, progress) });
    return { name, ...(await run("table", { name })) };
  });
}

// Tell how much of so many bytes was sent, in megabytes.
export const megabytes = (total, progress, before = 0) => (loaded) =>
  progress({ what: "MB sent", done: Math.round((before + loaded) / 1e5) / 10, total: Math.max(0.1, Math.round(total / 1e5) / 10) });

function offer(place, titles, value, none) {
  $(place).replaceChildren(...(none ? [new Option(none, "")] : []), ...titles.map((each) => new Option(each, each)));
  $(place).value = value || (none ? "" : titles[0] ?? "");
}

// Take a table of seen orders, or of patients and times, and read the data again with it.
export async function openBeside(file, reload) {
  const found = await sent(file);
  if (!found) return;
  if (found.holds === "orders") {
    beside.files = { ...beside.files, orders: found.name };
    $("orders-form").hidden = false;
    $("beside-said").textContent = `${found.name}: seen orders of ${found.samples} samples.`;
    return reload();
  }
  beside.files = { ...beside.files, patients: found.name };
  offer("beside-patient", found.titles, found.patient, "choose");
  offer("beside-time", found.titles, found.time, "unknown");
  $("beside-form").hidden = false;
  $("beside-said").textContent = `${found.name}: ${found.titles.length} columns. Which names the patient of each sample?`;
  if (found.patient) return reload();
  delete beside.files.patients; // until a column is chosen
  beside.waiting = found.name;
}

export function chooseColumns(reload) {
  if (beside.waiting) beside.files.patients = beside.waiting;
  beside.waiting = null;
  if ($("beside-patient").value) reload();
}

// Take a table with groups of samples.
export async function openGroups(file) {
  const found = await sent(file);
  if (!found) return;
  if (found.holds === "orders" || !found.groups.length) {
    $("groups-said").textContent = `${found.name} has no column with two to six groups of samples.`;
    $("groups-form").hidden = true;
    return;
  }
  beside.groups = found.name;
  offer("groups-column", found.groups, "");
  $("groups-said").textContent = "";
  $("groups-form").hidden = false;
}

export const groupsChosen = () => ({ name: beside.groups, column: $("groups-column").value });
