print("kinebox-bench")
