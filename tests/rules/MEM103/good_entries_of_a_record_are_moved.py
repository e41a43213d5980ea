# A loop over the entries of one mapping fills another with as many: no batches.

import torch


def to_device(record, device):
    moved = {}
    for name, value in record.items():
        moved[name] = torch.as_tensor(value).to(device)
    return {name: value.cpu() for name, value in moved.items()}


def joined(records, device):
    result = {}
    for i in range(len(records)):
        for key in records[i]:
            if key not in result:
                result[key] = torch.as_tensor(records[i][key]).to(device)
    return [value.cpu() for value in result.values()]
