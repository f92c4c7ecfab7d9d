// The files of a folder that was dropped or chosen, and which of them a study is made of.

const USUAL = /^(meta_|data_(mutations|cna|gene_panel|gene_matrix|clinical)|cases_)|\.maf(\.gz)?$/i;
const PANELS = /(^|\/)gene_panels$/;
const HELD = /genetic_alteration_type:\s*(MUTATION_EXTENDED|COPY_NUMBER_ALTERATION|GENE_PANEL_MATRIX|CLINICAL)/;

// Each file with the path of its folder, of a file or folder that was dropped.
export async function filesOf(entry, folder = "") {
  if (entry.isFile) {
    const file = await new Promise((done, failed) => entry.file(done, failed));
    return [{ file, folder }];
  }
  const inside = folder ? `${folder}/${entry.name}` : entry.name;
  const reader = entry.createReader();
  const found = [];
  for (;;) { // a reader gives a hundred entries at a time
    const entries = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!entries.length) return found;
    for (const each of entries) found.push(...(await filesOf(each, inside)));
  }
}

// Each file with the path of its folder, of a folder that was chosen.
export const chosenFiles = (files) =>
  [...files].map((file) => ({ file, folder: file.webkitRelativePath.split("/").slice(0, -1).join("/") }));

// Those that are read: of usual names, or named in a meta file. Others may be very large.
export async function studyFiles(files) {
  const meta = files.filter(({ file }) => /^meta_.*\.txt$/i.test(file.name));
  const texts = await Promise.all(meta.map(({ file }) => file.text()));
  const named = texts.filter((text) => HELD.test(text)).map((text) => /data_filename:\s*(.+)/.exec(text)?.[1].trim());
  return files.filter(({ file, folder }) => USUAL.test(file.name) || PANELS.test(folder) || named.includes(file.name));
}
