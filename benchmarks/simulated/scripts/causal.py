"""A Llama of 0.4 billion parameters by the Trainer of transformers: accumulation, checkpointing, evaluation, fused AdamW."""

import tempfile

import torch
from torch.utils.data import Dataset
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments


class Lines(Dataset):
    def __len__(self):
        return 32

    def __getitem__(self, index):
        words = torch.randint(5, 32000, (1024,))
        return {"input_ids": words, "labels": words}


torch.manual_seed(0)
model = LlamaForCausalLM(
    LlamaConfig(hidden_size=1024, intermediate_size=2816, num_hidden_layers=24, num_attention_heads=16)
)
with tempfile.TemporaryDirectory() as folder:
    settings = TrainingArguments(
        output_dir=folder,
        per_device_train_batch_size=4,
        per_device_eval_batch_size=4,
        gradient_accumulation_steps=2,
        gradient_checkpointing=True,
        num_train_epochs=1,
        eval_strategy="epoch",
        bf16=True,
        optim="adamw_torch_fused",
        save_strategy="no",
        report_to=[],
    )
    Trainer(model, settings, train_dataset=Lines(), eval_dataset=torch.utils.data.Subset(Lines(), range(8))).train()
