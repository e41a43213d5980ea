# a call whose result is told to train makes a network; what a setter put in, a getter gives; masks run no layers

import torch
from toolz import curry
from transformers.models.llama.modeling_llama import LlamaModel


def widths(models, size):
    for model in models:
        net = model(pretrained=True, size=size)
        net.train()
        found = net(torch.randn(1, 8))
        assert found.size(0) == 1


def swap(model, kinds):
    for kind in kinds:
        table = model.get_embeddings(kind)
        torch.save(table.detach(), f"{kind}.pt")
    for kind in kinds:
        model.set_embeddings(kind, torch.load(f"{kind}.pt", map_location="cpu"))


def masks(config, patched):
    model = LlamaModel(config)
    mask = torch.full((2, 16), True)
    for i in range(4):
        hidden = torch.rand((2, 16, 64))
        mask[0, -i:] = False
        print(patched(hidden, model._prepare_decoder_attention_mask(mask, (2, 16), hidden, 0)).shape)


@curry
def renamed(model, data):
    return {key.lower(): value for key, value in model(data).items()}


def load(path):
    model = torch.load(path, map_location="cpu")
    return renamed(model)


MODELS = [load(path) for path in ("a.pt", "b.pt")]
