/** A query as a dashboard or a runbook of a GPU site has it, its variables filled in. */
export interface DashboardQuery {
  readonly title: string;
  readonly query: string;
  /** It is about there being nothing, and rightly answers with nothing. */
  readonly empty?: true;
}

const group = (panel: string, queries: Readonly<Record<string, string>>): DashboardQuery[] =>
  Object.entries(queries).map(([title, query]) => ({ title: `${panel}: ${title}`, query }));

export const dashboardQueries: readonly DashboardQuery[] = [
  ...group('DCGM', {
    temperature: 'DCGM_FI_DEV_GPU_TEMP{instance=~"10.+", gpu=~"(0|1|2|3)"}',
    'mean temperature': 'avg(DCGM_FI_DEV_GPU_TEMP{instance=~".+", gpu=~".+"})',
    'power total': 'sum(DCGM_FI_DEV_POWER_USAGE{cluster="aurora-lab"})',
    'power by host': 'sum by (Hostname) (DCGM_FI_DEV_POWER_USAGE)',
    'SM clock in Hz': 'DCGM_FI_DEV_SM_CLOCK{gpu=~"0|1"} * 1000000',
    utilization: 'DCGM_FI_DEV_GPU_UTIL{Hostname=~"n1|n2"}',
    'tensor pipe': 'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE{gpu=~".*"}',
    'memory used, share': 'DCGM_FI_DEV_FB_USED / (DCGM_FI_DEV_FB_USED + DCGM_FI_DEV_FB_FREE)',
    'memory used, GiB by cluster': 'sum(DCGM_FI_DEV_FB_USED) by (cluster) / 1024',
    'five hottest': 'topk(5, DCGM_FI_DEV_GPU_TEMP + DCGM_FI_PROF_PIPE_TENSOR_ACTIVE)',
    'three least used': 'bottomk(3, avg_over_time(DCGM_FI_PROF_SM_ACTIVE[10m]))',
    'p95 temperature': 'quantile(0.95, DCGM_FI_DEV_GPU_TEMP)',
    'hot ones, as 0 and 1': 'DCGM_FI_DEV_GPU_TEMP > bool 66',
    'number of hot ones': 'count(DCGM_FI_DEV_GPU_TEMP > 60) or vector(0)',
    'peak of the last half hour': 'max_over_time(DCGM_FI_DEV_GPU_TEMP{modelName=~"NVIDIA.*"}[30m])',
    'XID codes now': 'DCGM_FI_DEV_XID_ERRORS > 0',
    'XID changes': 'changes(DCGM_FI_DEV_XID_ERRORS[1h]) > 0',
    'ECC rise': 'increase(DCGM_FI_DEV_ECC_SBE_VOL_TOTAL[1h])',
    'ECC rise by node':
      'sum without (gpu, UUID, device, pci_bus_id, exported_pod, exported_namespace, exported_container) (increase(DCGM_FI_DEV_ECC_SBE_VOL_TOTAL[30m]))',
    'throttled share': 'rate(DCGM_FI_DEV_POWER_VIOLATION[5m]) / 1e9',
    'energy, kWh': 'sum(increase(DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION[1h])) by (Hostname) / 3.6e9',
    'PCIe of a pod':
      'sum(DCGM_FI_PROF_PCIE_TX_BYTES{exported_pod=~"train-.*", exported_namespace="default"}) by (exported_pod)',
    'GPUs without a pod': 'DCGM_FI_DEV_GPU_UTIL{exported_pod=""}',
    'GPUs by model': 'count by (modelName, cluster) (DCGM_FI_DEV_GPU_TEMP)',
    'an hour ago': 'DCGM_FI_DEV_GPU_TEMP - DCGM_FI_DEV_GPU_TEMP offset 1h',
    'against its own hour':
      '(DCGM_FI_DEV_POWER_USAGE - avg_over_time(DCGM_FI_DEV_POWER_USAGE[1h])) / stddev_over_time(DCGM_FI_DEV_POWER_USAGE[1h])',
    'idle GPUs that hold memory': 'DCGM_FI_DEV_FB_USED > 1000 and DCGM_FI_PROF_SM_ACTIVE < 0.9',
    'highest mean of 10 minutes': 'max_over_time(avg_over_time(DCGM_FI_DEV_GPU_UTIL[10m])[1h:5m])',
    'with a short host name': 'label_replace(DCGM_FI_DEV_GPU_TEMP, "host", "$1", "instance", "([^:]+):.*")',
    'a name for legends': 'label_join(DCGM_FI_DEV_POWER_USAGE, "card", "/", "Hostname", "gpu")',
    'how many show each temperature': 'count_values("celsius", DCGM_FI_DEV_GPU_TEMP)',
    'what there is': 'count by (__name__) ({__name__=~"DCGM_FI_PROF_.+"})',
    'in ten minutes': 'predict_linear(DCGM_FI_DEV_GPU_TEMP[30m], 600)',
    'scraped when': 'time() - timestamp(DCGM_FI_DEV_GPU_TEMP)',
    'at the end of the window': 'DCGM_FI_DEV_GPU_TEMP @ end()',
    'several lines, with comments': `
      # Watts for each percent of use, of the GPUs that do something.
      sum by (cluster, Hostname) (DCGM_FI_DEV_POWER_USAGE)   # "W"
        /
      sum by (cluster, Hostname) (
        DCGM_FI_DEV_GPU_UTIL{gpu!~"7|8"}  # {percent}
      )
    `,
  }),
  ...group('AMD', {
    'junction temperature': 'amd_gpu_junction_temperature{hostname=~"n.*"}',
    'hottest of each node': 'max by (hostname) (amd_gpu_junction_temperature)',
    'package power': 'sum(amd_gpu_package_power{cluster=~"aurora-prod|aurora-lab"}) by (cluster)',
    'VRAM share': '100 * amd_gpu_used_vram / amd_gpu_total_vram',
    'clock of each XCC': 'avg by (hostname, gpu_id) (amd_gpu_clock{clock_type="system"})',
    'spread of the clocks': 'max by (gpu_id) (amd_gpu_clock) - min by (gpu_id) (amd_gpu_clock)',
    activity: 'avg_over_time(amd_gpu_gfx_activity{gpu_id="0"}[15m])',
    'ECC totals': 'sum by (hostname, gpu_id) (amd_gpu_ecc_correct_total + amd_gpu_ecc_deferred_total)',
    'tensor and memory side by side': 'amd_gpu_prof_tensor_active_percent or amd_gpu_umc_activity',
    'names to discover': 'count by (__name__)({__name__=~"amd_gpu_.*"})',
    'power of a pod': 'sum(amd_gpu_package_power) by (namespace, pod)',
    'GPUs, with the card': 'count(amd_gpu_package_power) by (card_model)',
    'standard deviation': 'stddev by (hostname) (amd_gpu_package_power) > 1',
  }),
  ...group('nodes', {
    'CPU busy': '100 - (avg by (instance) (rate(node_cpu_seconds_total{mode="idle",job="node-exporter"}[5m])) * 100)',
    'CPU by mode': 'sum by (instance, mode) (irate(node_cpu_seconds_total{mode!="idle"}[5m]))',
    'CPU count': 'count without (cpu, mode) (node_cpu_seconds_total{mode="idle"})',
    'memory share': '1 - node_memory_MemAvailable_bytes / node_memory_MemTotal_bytes',
    'disk share':
      '100 - ((node_filesystem_avail_bytes{fstype!~"tmpfs|fuse.lxcfs"} * 100) / node_filesystem_size_bytes{fstype!~"tmpfs|fuse.lxcfs"})',
    'disk by the name of the host':
      'node_filesystem_avail_bytes{mountpoint="/data"} * on (cluster, instance) group_left (nodename) node_uname_info',
    network: 'sum by (instance) (rate(node_network_receive_bytes_total{device!~"lo|veth.*|docker.*"}[5m])) * 8',
    'network, both ways':
      'rate(node_network_receive_bytes_total{device="mlx5_0"}[5m]) + on (cluster, instance, device) rate(node_network_transmit_bytes_total[5m])',
    InfiniBand: 'sum(rate(node_infiniband_port_data_transmitted_bytes_total{device=~"mlx5_.+"}[5m])) by (cluster)',
    'CPU pressure': 'rate(node_pressure_cpu_waiting_seconds_total[5m])',
    uptime: 'node_time_seconds - node_boot_time_seconds',
    load: 'avg_over_time(node_load1[1h]) / on (cluster, instance) count by (cluster, instance) (node_cpu_seconds_total{mode="user"})',
    'disk full in a day': 'predict_linear(node_filesystem_avail_bytes{mountpoint="/data"}[1h], 24 * 3600) < bool 0',
    'targets that are down': 'up{job=~"dcgm-exporter|node-exporter"} == 0',
    'share of the time up': 'avg_over_time(up{job="dcgm-exporter"}[1h]) < 1',
    'hottest sensor': 'max by (cluster, instance) (node_hwmon_temp_celsius)',
    'sorted by load': 'sort_desc(node_load1)',
  }),
  ...group('Kubernetes', {
    'nodes that are not ready': 'kube_node_status_condition{condition="Ready",status!="true"} == 1',
    'GPUs allocatable': 'sum by (cluster, resource) (kube_node_status_allocatable{resource=~"(nvidia|amd)_com_gpu"})',
    'GPUs asked for': 'sum(kube_pod_container_resource_requests{resource=~".+_com_gpu"}) by (cluster, namespace)',
    'share of the GPUs asked for':
      'sum(kube_pod_container_resource_requests{resource="nvidia_com_gpu", node!=""}) / sum(kube_node_status_allocatable{resource="nvidia_com_gpu"})',
    'pods by phase': 'sum by (phase) (kube_pod_status_phase{namespace="default"})',
    'pending pods': 'kube_pod_status_phase{phase="Pending"} == 1',
    restarts: 'increase(kube_pod_container_status_restarts_total[1h]) > 0',
    'utilization by owner': `
      avg by (cluster, created_by_name) (
        label_replace(DCGM_FI_DEV_GPU_UTIL, "pod", "$1", "exported_pod", "(.+)")
          * on (cluster, pod) group_left (created_by_name)
        kube_pod_info{created_by_kind="StatefulSet"}
      )`,
    'power by the node that Kubernetes knows':
      'sum by (cluster, Hostname) (DCGM_FI_DEV_POWER_USAGE) * on (cluster, Hostname) group_left (kernel_version) label_replace(kube_node_info, "Hostname", "$1", "node", "(.*)")',
    'pods of failed nodes':
      'kube_pod_info{node!=""} and on (cluster, node) (kube_node_status_condition{condition="Ready",status="true"} == 0)',
    'owner of a ReplicaSet': 'kube_replicaset_owner{owner_kind="Deployment"}',
    'age of pods': 'sort(time() - kube_pod_start_time{pod=~"train-.*|infer-.*"})',
    'time to make a container':
      'histogram_quantile(0.99, sum by (le, cluster) (rate(kubelet_runtime_operations_duration_seconds_bucket{operation_type="create_container"}[5m])))',
    'firing alerts': 'ALERTS{alertstate="firing", cluster=~"aurora-.*"}',
    'no exporter at all': 'absent(up{job="gpu-feature-discovery"})',
    'no samples for an hour': 'absent_over_time(DCGM_FI_DEV_NO_SUCH_METRIC[1h])',
  }),
  ...group('numbers', {
    'a constant line': 'vector(83)',
    'a scalar': '(83 - 32) / 1.8',
    'one of a family as a threshold': 'DCGM_FI_DEV_GPU_TEMP > scalar(avg(DCGM_FI_DEV_GPU_TEMP))',
    'hour of the day': 'hour()',
  }),
  { title: 'nothing that is there: no absence', query: 'absent(DCGM_FI_DEV_GPU_TEMP)', empty: true },
  { title: 'a cluster of others', query: 'DCGM_FI_DEV_GPU_TEMP{cluster="borealis"}', empty: true },
  { title: 'a cluster that does not exist', query: 'DCGM_FI_DEV_GPU_TEMP{cluster="boreal"}', empty: true },
  { title: 'what has no cluster', query: 'DCGM_FI_DEV_GPU_TEMP{cluster=""}', empty: true },
];
