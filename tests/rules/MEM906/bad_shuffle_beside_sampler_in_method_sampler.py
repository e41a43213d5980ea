# shuffle beside a sampler, in a method; the sampler is there only when distributed

import torch
import torch.utils.data as data
from torch.utils.data.distributed import DistributedSampler


class Experiment:
    def __init__(self, dataset, distributed):
        self.dataset = dataset
        self.distributed = distributed

    def train_loader(self):
        sampler = DistributedSampler(self.dataset) if self.distributed else None
        return data.DataLoader(
            self.dataset,
            batch_size=16,
            shuffle=True,  #! MEM906 warning
            sampler=sampler,
            num_workers=4,
        )

    def balanced_loader(self, weights):
        balanced = data.WeightedRandomSampler(weights, len(weights))
        return data.DataLoader(self.dataset, 16, True, sampler=balanced)  #! MEM906 error

    def bucketed_loader(self, buckets):
        return data.DataLoader(
            self.dataset,
            batch_size=8,  #! MEM906 error
            batch_sampler=data.BatchSampler(data.SequentialSampler(self.dataset), 8, False),
        )


print(torch.__name__, Experiment)
