from transformers import TrainingArguments


def get_args(out):
    return TrainingArguments(output_dir=out, eval_strategy="epoch", fp16=True, dataloader_num_workers=4, eval_accumulation_steps=10)
