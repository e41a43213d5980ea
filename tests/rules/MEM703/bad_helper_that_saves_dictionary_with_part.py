# helper that saves a dictionary with a part in it

import torch


def export(embedding, path):
    weights = embedding.weight.detach()
    torch.save({"dim": 64, "special": weights[:16]}, path)  #! MEM703 warning


if __name__ == "__main__":
    export(torch.nn.Embedding(50_000, 64), "special.pt")
