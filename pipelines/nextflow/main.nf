// A report for each cohort: nextflow run pipelines/nextflow --cohorts 'cohorts/*.csv'
// With -stub-run only the wiring is tried.

include { CAPRESE_REPORT } from './modules/caprese/report/main'

workflow {
    cohorts = Channel.fromPath(params.cohorts, checkIfExists: true)
        .map { table -> [ [ id: table.baseName ], table ] }
    CAPRESE_REPORT(cohorts)
}
