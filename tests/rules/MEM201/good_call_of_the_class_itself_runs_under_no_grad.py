# the class says itself what a call of it does: under no_grad

import logging

import torch
from torch import nn

from project.tasks import Task


class Codec(nn.Module):
    def __init__(self, path, device="cpu"):
        super().__init__()
        self.model = Task.build_model_from_file(path, device)

    @torch.no_grad()
    def __call__(self, speech, need_recon=True):
        codes = self.model.encode(speech)
        return codes, need_recon

    @staticmethod
    def from_pretrained(tag=None, **options):
        if tag is not None:
            raise NotImplementedError
        return Codec(**options)


class Reader(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def __call__(self, x):
        with torch.inference_mode():
            return self.net(x)


def prepare(path, **kwargs):
    codec = Codec.from_pretrained(tag=None, path=path)
    codec.model.eval()

    def run(data, folder=None):
        results = []
        loader = Task.build_loader(data, **kwargs)
        for keys, batch in loader:
            logging.info(keys[0])
            codes, _ = codec(*[batch["speech"][0]])
            results.append({"key": keys[0], "value": codes})
        return results

    return run


def encode_all(path, data):
    run = prepare(path)
    return run(data)


def read_all(loader, net):
    reader = Reader(net)
    reader.eval()
    return [reader(batch).cpu().numpy() for batch in loader]
