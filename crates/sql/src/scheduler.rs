//! `tabiya-sql scheduler`.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use anyhow::Context;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use clap::Args;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};

use crate::cluster::{self, PORT};
use crate::stores::Stores;

/// How often to look for lost executors, in seconds.
const CHECK_INTERVAL: u64 = 2;

/// Start the scheduler of a cluster, which divides queries among the executors
///
/// A cluster has no passwords: let only machines that you trust reach its ports.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tabiya-sql scheduler                               for a cluster on this machine
  tabiya-sql scheduler --bind 0.0.0.0                for executors on others, too
  tabiya archive sql --cluster localhost /mnt/games \"select count(*) from games\"

For archives on S3, set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and, for servers other than Amazon's, \
AWS_ENDPOINT_URL: here, for every executor and for clients.")]
pub(crate) struct Arguments {
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,

    /// The port to listen on; 0 for any free one
    #[arg(long, default_value_t = PORT)]
    port: u16,

    /// Seconds of silence after which an executor counts as lost, and others do its work
    #[arg(long, value_name = "SECONDS", default_value_t = 15, value_parser = clap::value_parser!(u64).range(5..=3600))]
    executor_timeout: u64,

    /// Log everything that happens, not only warnings
    #[arg(long)]
    verbose: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    cluster::log(arguments.verbose);
    let stores = Arc::new(Stores::default());
    let config = SchedulerConfig {
        bind_host: arguments.bind.to_string(),
        executor_timeout_seconds: arguments.executor_timeout,
        expire_dead_executor_interval_seconds: CHECK_INTERVAL,
        no_executors_grace_period_seconds: arguments.executor_timeout,
        override_config_producer: Some(Arc::new(cluster::config)),
        override_session_builder: Some(Arc::new(move |config| {
            cluster::state(config, stores.clone())
        })),
        ..SchedulerConfig::default()
    };
    let runtime = tokio::runtime::Runtime::new().context("cannot start threads")?;
    runtime.block_on(async {
        let (listener, address) = cluster::bind(arguments.bind, arguments.port, "--port")?;
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let config = Arc::new(SchedulerConfig {
            bind_port: address.port(),
            ..config
        });
        let cluster = BallistaCluster::new_from_config(&config).await?;
        let scheduler =
            create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, config).await?;
        // Standard output may be closed.
        let _ = writeln!(io::stdout(), "The scheduler listens on {address}.");
        tokio::select! {
            ended = start_grpc_service_with_listener(listener, scheduler) => Ok(ended?),
            signal = tokio::signal::ctrl_c() => Ok(signal?),
        }
    })
}
