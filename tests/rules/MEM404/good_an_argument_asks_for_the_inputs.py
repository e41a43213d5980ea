# who calls says whether the inputs are wanted beside the outputs

import torch
from torch.utils.data import DataLoader


@torch.no_grad()
def predict(model, data, return_inputs: bool = False):
    loader = DataLoader(data, batch_size=64)
    outputs, inputs = [], []
    for batch in loader:
        outputs.append(model(batch).cpu())
        if return_inputs:
            inputs.append(batch)
    return (outputs, inputs) if return_inputs else outputs


def collect(loader, *, keep=False):
    seen, count = [], 0
    for batch in loader:
        count += len(batch)
        if keep:
            seen.append(batch)
    return seen, count
