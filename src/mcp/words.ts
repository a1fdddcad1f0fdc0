/** What a model reads before it chooses a tool. */
export const words = {
  instructions: `Monitoring of GPU clusters: what the hardware did, and what is wrong with it. Read only.
Begin with grid_whoami for the names of clusters. For a slow run: metrics_read action=flags with kind and name of the workload says which conditions fired, on which GPU, when, with numbers; action=workload says where it ran; action=node with the flagged node shows the curves.
A null is no reading, never a zero. clean: true means that the signals in checked are clean and no more; note says what could not be seen. The job's own step times are not seen here.`,
  whoami: {
    title: 'Who am I',
    description:
      'The organization that the credential belongs to, its clusters with island, GPU vendor and model, and what it may ask.',
  },
  read: {
    title: 'Read GPU telemetry and flags',
    description: `What monitoring saw on the hardware, over a window.
action=node: every reading of one node: per GPU temperature, clocks, activity, power, memory, throttle seconds, error counts; its host; recorded health episodes.
action=workload: where a workload ran, and its nodes' readings. Check placement_source: history, or current-pods where the window holds none.
action=flags: the judgement on a node or a workload: thermal_throttle, power_cap, utilization_collapse, comm_errors, host_pressure, memory_pressure, each with GPU, sub-window, evidence and a sentence to quote. A flag that is clipped ran past the window.
Refusals: bad-request, not-found, ambiguous-cluster, metrics-unavailable (ask again), throttled (wait retry_after_s).`,
  },
  query: {
    title: 'Query GPU telemetry in PromQL',
    description: `One PromQL expression over your organization's clusters, for what metrics_read does not answer. Labels: cluster; the node is Hostname on NVIDIA and hostname on AMD, where instance is the exporter's address, else instance; the device is gpu on NVIDIA, gpu_id on AMD. GPU series are DCGM_FI_DEV_* on NVIDIA and amd_gpu_* on AMD; to find names: count by (__name__)({__name__=~"amd_gpu_.*"}). At most 100 series. An empty result is a reason to check names and matchers, not an all-clear.`,
  },
  graphql: {
    title: 'Ask in GraphQL',
    description: `A GraphQL query with variables, for several nodes, workloads or clusters in one answer. Look into the schema first: schema="Query" for a type, schema="throttle seconds" for words; or read the resources gpuql://schema and gpuql://schema/{type}.`,
  },
} as const;
