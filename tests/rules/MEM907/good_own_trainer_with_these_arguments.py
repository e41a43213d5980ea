# an own Trainer with these arguments

import torch


class Trainer:
    def __init__(self, gpus=1, precision=16, resume_from_checkpoint=None):
        self.device = torch.device("cuda" if gpus else "cpu")


class TrainingArguments:
    def __init__(self, evaluation_strategy, no_cuda=False):
        self.strategy = evaluation_strategy


Trainer(gpus=2, precision=16)
TrainingArguments(evaluation_strategy="epoch", no_cuda=True)
