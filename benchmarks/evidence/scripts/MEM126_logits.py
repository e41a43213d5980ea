# claim: GROWTH, expected: not_measurable (on the CPU the logits are where they would be moved)
# needs: transformers
import torch
from torch.utils.data import Dataset
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments


class Tokens(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        tokens = torch.arange(32) % 100
        return {"input_ids": tokens, "labels": tokens}


def accuracy(prediction):
    return {"accuracy": float((prediction.predictions.argmax(-1) == prediction.label_ids).mean())}


def main():
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(vocab_size=100, n_positions=32, n_embd=32, n_layer=2, n_head=2))
    arguments = TrainingArguments("out", per_device_eval_batch_size=8, max_steps=20, report_to="none")
    trainer = Trainer(
        model, arguments, train_dataset=Tokens(), eval_dataset=Tokens(), compute_metrics=accuracy
    )
    trainer.train()
    print(trainer.evaluate())


if __name__ == "__main__":
    main()
