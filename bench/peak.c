// peak FILE COMMAND...: runs the command and writes "cpu-seconds peak-kilobytes" of it to FILE.
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const pid_t child = fork();
  if (child == 0) {
    execvp(argv[2], argv + 2);
    _exit(127);
  }
  int status = 0;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) < 0) return 2;
  const double cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                     (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  FILE* file = fopen(argv[1], "w");
  if (file == NULL) return 2;
  fprintf(file, "%.3f %ld\n", cpu, usage.ru_maxrss);
  fclose(file);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
