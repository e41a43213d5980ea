# training arguments of transformers, renamed

from transformers import Trainer, TrainingArguments


def arguments(out):
    return TrainingArguments(
        output_dir=out,
        eval_strategy="epoch",
        use_cpu=True,
        per_device_train_batch_size=8,
        per_device_eval_batch_size=8,
    )


def main(model, data):
    Trainer(model=model, args=arguments("out"), train_dataset=data).train()
