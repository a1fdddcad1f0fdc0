/** What the demo invites to ask: the first line is the name of its tab. */
export const demoQueries = [
  `# Why is the training run slow: its own step times, and what its GPUs did while it was.
query SlowRun {
  cluster(name: "aurora-prod", window: { range: LAST_6H, points: 24 }) {
    run(name: "train-llm") {
      note
      stepSeconds { mean values }
      slowdowns {
        from
        to
        ratio
        flags {
          kind
          node { name }
          gpu { index tempC { max values } }
        }
        cleanNodes { name }
        summary
      }
    }
  }
}
`,
  `# The fleet at a glance: which clusters, and what cannot be seen of them.
query Fleet {
  clusters(window: { range: LAST_6H }) {
    name
    gpuVendor
    gpuModel
    reference { tempP95C }
    coverage { missing }
    note
    nodes { totalCount }
  }
}
`,
  `# One node over the last 6 hours: which GPU ran hot, how hot, and what held it back.
query HotNode {
  cluster(name: "aurora-prod", window: { range: LAST_6H, points: 24 }) {
    window { start end stepS }
    reference { gpuModel tempP95C }
    node(name: "aurora-prod-n2") {
      state
      healthEpisodes { kind gpu started ended detail }
      gpus(indexes: [2, 3]) {
        index
        peakTempC
        tempC { mean max values }
        tensorActivePct { mean values }
        throttle { thermalS clockEvents { kind count } }
      }
    }
  }
}
`,
  `# What is wrong: every condition of the last 6 hours, with the sentence to quote.
query Flags {
  clusters(window: { range: LAST_6H }) {
    name
    flags {
      clean
      checked
      unavailable
      note
      flags {
        kind
        severity
        node { name }
        gpu { index }
        minutes
        clipped { start end }
        episode { from to }
        summary
      }
    }
  }
}
`,
  `# Errors and memory of every GPU of a cluster.
query Errors {
  cluster(name: "aurora-prod", window: { range: LAST_6H }) {
    nodes {
      nodes {
        name
        gpus {
          index
          hbmTotalGib
          hbmUsedGib { max }
          errors { xid xidCodes eccDbe pcieReplay }
        }
        host { pressure { io { max } } nic { errors drops } }
      }
    }
  }
}
`,
] as const;
