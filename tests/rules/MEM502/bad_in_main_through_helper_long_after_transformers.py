# in main, through a helper, long after transformers loaded torch

import os

from transformers import AutoModel


def configure():
    os.environ.setdefault("PYTORCH_ALLOC_CONF", "garbage_collection_threshold:0.8")  #! MEM502 warning


def main():
    configure()
    model = AutoModel.from_pretrained("gpt2").to("cuda")
    print(model.config)


if __name__ == "__main__":
    main()
