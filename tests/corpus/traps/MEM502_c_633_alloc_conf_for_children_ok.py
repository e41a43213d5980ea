import os
import subprocess
import sys


def launch(script, gpus):
    env = {**os.environ, "PYTORCH_CUDA_ALLOC_CONF": "expandable_segments=True"}
    env["PYTORCH_NO_CUDA_MEMORY_CACHING"] = "1"
    return subprocess.Popen([sys.executable, script], env=env)


if __name__ == "__main__":
    os.environ["PYTORCH_CUDA_ALLOC_CONF"] = ",".join(["expandable_segments:True", "max_split_size_mb:64"])
    import torch

    print(torch.cuda.is_available(), launch("worker.py", torch.cuda.device_count()).wait())
