"""BERT of transformers from its configuration, trained by its Trainer on made-up sentences."""

import tempfile

import torch
from torch.utils.data import Dataset
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments


class Sentences(Dataset):
    def __len__(self):
        return 96

    def __getitem__(self, index):
        words = torch.randint(5, 30000, (256,))
        return {"input_ids": words, "attention_mask": torch.ones_like(words), "labels": index % 2}


torch.manual_seed(0)
model = BertForSequenceClassification(BertConfig(num_labels=2))
with tempfile.TemporaryDirectory() as folder:
    settings = TrainingArguments(
        output_dir=folder,
        per_device_train_batch_size=16,
        num_train_epochs=1,
        bf16=True,
        logging_steps=2,
        save_strategy="no",
        report_to=[],
    )
    Trainer(model, settings, train_dataset=Sentences()).train()
