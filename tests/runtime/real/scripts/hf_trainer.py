"""transformers' Trainer with a model built from its configuration, evaluation and checkpoints."""

import argparse

import torch
from torch.utils.data import Dataset
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments, set_seed


class Tokens(Dataset):
    def __init__(self, count, length, vocab):
        self.ids = torch.randint(vocab, (count, length), generator=torch.Generator().manual_seed(count))

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, index):
        return {"input_ids": self.ids[index], "labels": self.ids[index]}


def compute_metrics(prediction):
    logits, labels = prediction
    return {"accuracy": float((logits.argmax(-1)[:, :-1] == labels[:, 1:]).mean())}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--output_dir", default="trainer_output")
    parser.add_argument("--num_train_epochs", type=float, default=2)
    parser.add_argument("--per_device_train_batch_size", type=int, default=4)
    parser.add_argument("--gradient_accumulation_steps", type=int, default=2)
    parser.add_argument("--learning_rate", type=float, default=5e-4)
    options = parser.parse_args()
    set_seed(42)
    config = GPT2Config(vocab_size=256, n_positions=64, n_embd=64, n_layer=2, n_head=2)
    model = GPT2LMHeadModel(config)
    arguments = TrainingArguments(
        output_dir=options.output_dir,
        num_train_epochs=options.num_train_epochs,
        per_device_train_batch_size=options.per_device_train_batch_size,
        per_device_eval_batch_size=8,
        gradient_accumulation_steps=options.gradient_accumulation_steps,
        learning_rate=options.learning_rate,
        eval_strategy="epoch",
        save_strategy="epoch",
        logging_steps=5,
        report_to=[],
        disable_tqdm=True,
        dataloader_pin_memory=False,
    )
    trainer = Trainer(
        model=model,
        args=arguments,
        train_dataset=Tokens(128, 64, 256),
        eval_dataset=Tokens(32, 64, 256),
        compute_metrics=compute_metrics,
    )
    result = trainer.train()
    print(result.metrics["train_loss"])
    trainer.save_model()


if __name__ == "__main__":
    main()
