import os


def setup_env(gpus, seed=0):
    os.environ["CUDA_VISIBLE_DEVICES"] = gpus
    os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:128,garbage_collection_threshold:0.8")
    os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
