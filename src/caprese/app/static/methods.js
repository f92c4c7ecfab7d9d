// The choice of a method: by three questions, from all methods, or the one that predicts best.

const $ = (id) => document.getElementById(id);

const selector = (key) => $(key === "method" ? "method" : "other-method");

let best = null; // of the judged methods: its name and parameters

// The method that is chosen, with its parameters; null if none is to be compared with.
export function chosen(key) {
  const name = $(`${key}-name`).value;
  if (!name) return null;
  const parameters = {};
  for (const input of selector(key).querySelectorAll(`[data-for="${name}"] [data-parameter]`)) {
    parameters[input.dataset.parameter] = input.value;
  }
  return { name, parameters };
}

export const methodText = (method) => JSON.stringify(method);

// Choose a method, with parameters; others are at their defaults.
export function choose(key, method) {
  $(`${key}-name`).value = method?.name ?? "";
  for (const input of selector(key).querySelectorAll(`[data-for="${method?.name}"] [data-parameter]`)) {
    const given = method.parameters[input.dataset.parameter];
    if (input.tagName === "SELECT") input.value = given ?? [...input.options].find((each) => each.defaultSelected)?.value ?? "";
    else input.value = given ?? "";
  }
  showParameters();
}

// Show the parameters of the chosen methods, and which question they answer.
export function showParameters() {
  for (const key of ["method", "other"]) {
    const name = $(`${key}-name`).value;
    for (const part of selector(key).querySelectorAll(".parameters")) part.hidden = part.dataset.for !== name;
  }
  const name = $("method-name").value;
  const asked = document.querySelector("input[name=wanted]:checked");
  if (asked?.dataset.method !== name) {
    const fitting = document.querySelector(`input[name=wanted][data-method="${name}"]`);
    if (asked) asked.checked = false;
    if (fitting) fitting.checked = true;
  }
  const about = document.querySelector(`#method [data-for="${name}"] > .note`)?.textContent ?? "";
  $("suited").textContent = `${name}: ${about}`;
}

// A question was answered: take its method.
export function chooseByQuestion(question) {
  const { method } = question.dataset;
  choose("method", best?.name === method && question.value !== "tree" ? best : { name: method, parameters: {} });
}

// Mark the method that predicts best, which then answers two of the questions; null for none.
export function markBest(found) {
  best = found;
  for (const option of $("method-name").options) {
    option.textContent = option.value === best?.name ? `${option.value} (predicts best here)` : option.value;
  }
  for (const question of document.querySelectorAll("input[name=wanted]:not([value=tree])")) {
    question.dataset.usual ??= question.dataset.method;
    question.dataset.method = best?.name ?? question.dataset.usual;
  }
  showParameters();
}

export const bestMethod = () => best;
