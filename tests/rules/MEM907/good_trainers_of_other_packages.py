# trainers of other packages

import torch
from composer import Trainer
from ray.train.torch import TorchTrainer
from transformers import Trainer as HFTrainer

a = Trainer(precision="amp_bf16", progress_bar_refresh_rate=1)
b = TorchTrainer(lambda: torch.zeros(1), resume_from_checkpoint=None)
c = HFTrainer(model=torch.nn.Linear(2, 2))
c.train(resume_from_checkpoint=True)
