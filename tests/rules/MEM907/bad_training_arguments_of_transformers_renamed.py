# training arguments of transformers, renamed

from transformers import Trainer, TrainingArguments


def arguments(out):
    return TrainingArguments(
        output_dir=out,
        evaluation_strategy="epoch",  #! MEM907 error
        no_cuda=True,  #! MEM907 warning
        per_gpu_train_batch_size=8,  #! MEM907 warning
        per_gpu_eval_batch_size=8,  #! MEM907 warning
    )


def main(model, data):
    Trainer(model=model, args=arguments("out"), train_dataset=data).train()
