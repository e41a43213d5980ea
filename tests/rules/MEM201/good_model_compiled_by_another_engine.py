# the network is one of OpenVINO, as its annotation says: what it gives are arrays

from collections.abc import Iterable

import torch
from openvino import CompiledModel


def accuracy(compiled_model: CompiledModel, batches: Iterable) -> float:
    found = []
    for batch in batches:
        output = compiled_model(batch["image"])
        found.append(torch.from_numpy(output["label"]).eq(batch["label"]).float().mean().item())
    return sum(found) / len(found)


def train(network, loader, optimizer):
    network.eval()
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(network(x), y).backward()
        optimizer.step()
