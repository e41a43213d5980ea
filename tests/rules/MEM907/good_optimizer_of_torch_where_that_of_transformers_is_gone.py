# the file knows that the optimizer may be gone, and its own trainer takes a tokenizer

from torch.optim import AdamW as TorchAdamW
from transformers import Trainer

try:
    from transformers import AdamW
except ImportError:
    AdamW = TorchAdamW


class OwnTrainer:
    def __init__(self, model, tokenizer):
        self.model, self.tokenizer = model, tokenizer


def train(model, tokenizer, data):
    optimizer = AdamW(model.parameters(), lr=5e-5)
    own = OwnTrainer(model, tokenizer=tokenizer)
    trainer = Trainer(own.model, processing_class=tokenizer, train_dataset=data, optimizers=(optimizer, None))
    trainer.train()
