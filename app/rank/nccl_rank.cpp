// SPDX-License-Identifier: Apache-2.0
// nccl_rank --spec FILE [--job-dir DIR]: one rank of a job whose gradients travel over NCCL. Started by mpirun; the
// unique id travels over MPI, and so do the barriers.
#include "app/rank/mpi_session.h"
#include "app/rank/rank_loop.h"

#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace shardlens;
using namespace shardlens::rank;

Error gpuError(const std::string& what, const std::string& why) {
  return Error{ErrorCode::Environment, what + ": " + why + ".", {}, {}};
}

Result<void> checked(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return {};
  return gpuError(what, cudaGetErrorString(code));
}

Result<void> checked(ncclResult_t code, const char* what) {
  if (code == ncclSuccess) return {};
  return gpuError(what, ncclGetErrorString(code));
}

class NcclCollectives : public Collectives {
 public:
  explicit NcclCollectives(MpiSession& mpi) : mpi_(mpi) {}
  ~NcclCollectives() override {
    if (communicator_ != nullptr) (void)ncclCommDestroy(communicator_);
    if (gradient_ != nullptr) (void)cudaFree(gradient_);
    if (stream_ != nullptr) (void)cudaStreamDestroy(stream_);
  }
  NcclCollectives(const NcclCollectives&) = delete;
  NcclCollectives& operator=(const NcclCollectives&) = delete;

  Result<void> connect(int device) {
    if (auto set = checked(cudaSetDevice(device), "The GPU cannot be used"); !set) return set;
    if (auto made = checked(cudaStreamCreate(&stream_), "No CUDA stream can be created"); !made) return made;
    ncclUniqueId id{};
    Result<void> got;
    if (mpi_.rank() == 0) got = checked(ncclGetUniqueId(&id), "NCCL returned no unique id");
    mpi_.broadcast(&id, sizeof(id));  // also after a failure: the others wait for it
    if (!got) return got;
    return checked(
        ncclCommInitRank(&communicator_, static_cast<int>(mpi_.worldSize()), id, static_cast<int>(mpi_.rank())),
        "NCCL cannot connect the ranks");
  }

  Result<void> prepare(std::size_t floats) override {
    if (auto ready = host_.resize(floats); !ready) return ready;
    return checked(cudaMalloc(reinterpret_cast<void**>(&gradient_), floats * sizeof(float)),
                   "The GPU does not have enough memory for the gradient");
  }
  Result<void> fill(float mine) override {
    host_.fill(mine);
    return checked(cudaMemcpy(gradient_, host_.data(), bytes(), cudaMemcpyHostToDevice),
                   "The gradient cannot be copied to the GPU");
  }
  Result<void> allReduce() override {
    auto started =
        checked(ncclAllReduce(gradient_, gradient_, host_.size(), ncclFloat, ncclSum, communicator_, stream_),
                "ncclAllReduce failed");
    if (!started) return started;
    return checked(cudaStreamSynchronize(stream_), "The all-reduce failed on the GPU");
  }
  Result<bool> isEverywhere(float expected) override {
    auto copied = checked(cudaMemcpy(host_.data(), gradient_, bytes(), cudaMemcpyDeviceToHost),
                          "The gradient cannot be copied back");
    if (!copied) return copied.error();
    return host_.isEverywhere(expected);
  }
  void barrier() override { mpi_.barrier(); }

 private:
  [[nodiscard]] std::size_t bytes() const { return host_.size() * sizeof(float); }

  MpiSession& mpi_;
  HostGradient host_;
  float* gradient_ = nullptr;
  cudaStream_t stream_ = nullptr;
  ncclComm_t communicator_ = nullptr;
};

/// NCCL refuses two ranks on one GPU of one host. As if each rank were a host of its own they connect over the loopback
/// socket: slow, but every call is the real one (not supported by NVIDIA; NCCL reads these once, before it starts).
void pretendOneHostEach(std::int64_t rank) {
  const std::string host = "shardlens-rank-" + std::to_string(rank);
  (void)setenv("NCCL_HOSTID", host.c_str(), 0);
  (void)setenv("NCCL_NET", "Socket", 0);
  (void)setenv("NCCL_SOCKET_IFNAME", "lo", 0);
  (void)setenv("NCCL_MAX_CTAS", "2", 0);
}

Result<std::unique_ptr<Collectives>> make(MpiSession& mpi) {
  if (mpi.groups() > 1) {
    return Error{ErrorCode::Usage, "nccl_rank sums over all ranks.", {}, "leave --groups out, or use mpi_rank"};
  }
  int devices = 0;
  const cudaError_t found = cudaGetDeviceCount(&devices);
  if (found != cudaSuccess) devices = 0;
  // Every rank must come to the same answer: one without a GPU would leave the others waiting for it.
  const auto fewest = static_cast<int>(mpi.least(devices));
  if (fewest == 0) {
    const std::string why = found != cudaSuccess ? cudaGetErrorString(found) : "another rank sees none";
    return Error{ErrorCode::Environment,
                 "There is no usable NVIDIA GPU on this machine (" + why + ").",
                 {},
                 "run.program: mpi_rank needs no GPU"};
  }
  if (mpi.worldSize() > fewest) {
    if (mpi.rank() == 0)
      std::printf("nccl_rank: %lld ranks share %d GPU(s); they meet over the loopback socket\n",
                  static_cast<long long>(mpi.worldSize()), fewest);
    pretendOneHostEach(mpi.rank());
  }
  auto collectives = std::make_unique<NcclCollectives>(mpi);
  auto connected = collectives->connect(static_cast<int>(mpi.rank() % fewest));
  const bool all = mpi.least(connected ? 1 : 0) == 1;
  if (!connected) return connected.error();
  if (!all) return gpuError("NCCL cannot connect the ranks", "another rank failed");
  return std::unique_ptr<Collectives>(std::move(collectives));
}

}  // namespace

int main(int argc, char** argv) {
  MpiSession mpi(argc, argv);
  return runRankProgram(argc, argv, "nccl_rank", mpi, [&mpi](const std::string& /*job_dir*/) { return make(mpi); });
}
