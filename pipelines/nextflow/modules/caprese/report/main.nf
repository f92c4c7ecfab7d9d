process CAPRESE_REPORT {
    tag "$meta.id"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    container "${ workflow.containerEngine == 'singularity' && !task.ext.singularity_pull_docker_container ?
        'https://depot.galaxyproject.org/singularity/caprese:0.1.0--py311_0' :
        'quay.io/biocontainers/caprese:0.1.0--py311_0' }"

    input:
    tuple val(meta), path(data)

    output:
    tuple val(meta), path("${prefix}.html")    , emit: report
    tuple val(meta), path("${prefix}_mqc.json"), emit: multiqc
    path "versions.yml"                        , emit: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    prefix = task.ext.prefix ?: "${meta.id}"
    """
    caprese report \\
        ${data} \\
        ${args} \\
        --jobs ${task.cpus} \\
        -o ${prefix}.html \\
        -o ${prefix}_mqc.json

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        caprese: \$(caprese --version | sed 's/^caprese //')
    END_VERSIONS
    """

    stub:
    prefix = task.ext.prefix ?: "${meta.id}"
    """
    touch ${prefix}.html ${prefix}_mqc.json

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        caprese: \$(caprese --version | sed 's/^caprese //')
    END_VERSIONS
    """
}
