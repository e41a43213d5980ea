# Masked language modelling with the Hugging Face Trainer and a metric over the evaluation set.
import numpy as np
from datasets import load_dataset
from transformers import (
    AutoModelForMaskedLM,
    AutoTokenizer,
    DataCollatorForLanguageModeling,
    Trainer,
    TrainingArguments,
)


def compute_metrics(eval_pred):
    predictions, labels = eval_pred
    predictions = np.argmax(predictions, axis=-1)
    kept = labels != -100
    return {"accuracy": float((predictions[kept] == labels[kept]).mean())}


def main():
    tokenizer = AutoTokenizer.from_pretrained("roberta-base")
    model = AutoModelForMaskedLM.from_pretrained("roberta-base")
    raw = load_dataset("c4", "en", split={"train": "train[:1%]", "validation": "validation"})
    data = raw.map(lambda r: tokenizer(r["text"], truncation=True, max_length=512), remove_columns=["text"])
    args = TrainingArguments(output_dir="mlm", per_device_train_batch_size=8, eval_strategy="steps", eval_steps=500)
    trainer = Trainer(
        model=model,
        args=args,
        train_dataset=data["train"],
        eval_dataset=data["validation"],
        data_collator=DataCollatorForLanguageModeling(tokenizer, mlm_probability=0.15),
        compute_metrics=compute_metrics,  #! MEM126
    )
    trainer.train()


main()
