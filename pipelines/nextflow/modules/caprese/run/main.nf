process CAPRESE_RUN {
    tag "$meta.id"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    container "${ workflow.containerEngine == 'singularity' && !task.ext.singularity_pull_docker_container ?
        'https://depot.galaxyproject.org/singularity/caprese:0.1.0--py311_0' :
        'quay.io/biocontainers/caprese:0.1.0--py311_0' }"

    input:
    tuple val(meta), path(recipe), path(data)

    output:
    tuple val(meta), path("*.{json,html,svg,png,pdf,csv,tsv,txt,xlsx,parquet,graphml,gexf,cyjs,dot,gv,nwk}"), emit: results
    tuple val(meta), path("*_mqc.{json,tsv}")                                                              , emit: multiqc, optional: true
    path "versions.yml"                                                                                    , emit: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    """
    caprese run \\
        ${args} \\
        ${recipe}

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        caprese: \$(caprese --version | sed 's/^caprese //')
    END_VERSIONS
    """

    stub:
    def prefix = task.ext.prefix ?: "${meta.id}"
    """
    touch ${prefix}.json

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        caprese: \$(caprese --version | sed 's/^caprese //')
    END_VERSIONS
    """
}
